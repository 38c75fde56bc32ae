import time
from helpers.tourney import World

def test_swiss(tmp_path, capsys, monkeypatch):
    t=time.time()
    world = World(tmp_path, capsys)
    world.new("--swiss", 3, "--system", "battle-for-kursk/citadel")
    world.enter(["anna", "boris", "carla", "dmitri", "eva", "fedor", "greta"])
    world.begin()
    log=open("/tmp/tour.txt","w")
    def p(*a): print(*a,file=log,flush=True)
    p("begun", time.time()-t)
    for round_ in (1,2,3):
        p(world.director.kursk("tournament","status",world.folder))
        world.play_round()
        p("played", time.time()-t)
        world.later(3)
        world.inbox()
        p("inbox", time.time()-t)
        p(world.director.kursk("tournament","status",world.folder))
        p(world.pair())
        p("pair", time.time()-t)
        if round_ < 3:
            world.exchange()
            p(world.pair())
            world.post(); world.take()
            p("next", time.time()-t)
    p(world.director.kursk("tournament","end",world.folder))
    for f in ("","--json","--csv","--trf"):
        p(world.director.kursk("tournament","standings",world.folder,*([f] if f else [])))
    p(world.director.kursk("tournament","status",world.folder))
    p(world.verify(status=None))
    p(time.time()-t)
    for w in world.commands['director']: p(w)
    import shutil
    shutil.rmtree("/tmp/spring",ignore_errors=True); shutil.copytree(world.folder,"/tmp/spring")
