"""Who meets whom and who has which side: functions of numbers, points, meetings and a seed, and of nothing else."""
