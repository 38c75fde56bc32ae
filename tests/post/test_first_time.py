"""The first sending: earlier messages were mailed by hand, or are sent now."""


def test_what_was_signed_before_there_was_a_post_goes_out_only_by_a_word_of_its_owner(posted):
    anna, _boris, game, _imap, smtp = posted
    err = anna.kursk("post", "send", status=2)
    assert f"{game[:8]}/0" in err
    assert "--as-sent" in err
    anna.kursk("post", "send", "--as-sent")
    anna.kursk("post", "send")
    assert smtp.post.mails == []
