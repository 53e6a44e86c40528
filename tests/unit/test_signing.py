"""Signatures, against the vector of Standard Webhooks and its published verifier."""

import base64
import time

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from formwright.domain.webhooks.signing import build_headers, is_reserved, new_secret, sign

BODY = b'{"test": 2432232314}'


def now() -> int:
    return int(time.time())


def test_the_vector_of_the_specification() -> None:
    signature = sign(
        ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        message_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        timestamp=1614265330,
        body=BODY,
    )
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_new_secret_is_32_random_bytes_with_the_prefix() -> None:
    secret, other = new_secret(), new_secret()
    assert secret.startswith("whsec_")
    assert len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) == 32
    assert secret != other


def test_the_published_verifier_accepts_what_we_send() -> None:
    secret = new_secret()
    sent = build_headers([secret], message_id="evt_1", timestamp=now(), body=BODY)
    assert Webhook(secret).verify(BODY, sent) == {"test": 2432232314}


def test_the_prefix_makes_no_difference() -> None:
    secret = new_secret()
    bare = secret.removeprefix("whsec_")
    assert sign([secret], message_id="m", timestamp=1, body=b"") == sign([bare], message_id="m", timestamp=1, body=b"")


def test_during_a_rotation_both_secrets_verify() -> None:
    old, new = new_secret(), new_secret()
    sent = build_headers([new, old], message_id="evt_1", timestamp=now(), body=BODY)
    assert len(sent["webhook-signature"].split(" ")) == 2
    for secret in (old, new):
        assert Webhook(secret).verify(BODY, sent)


@pytest.mark.parametrize("changed", [{"webhook-id": "evt_2"}, {"webhook-timestamp": str(now() - 1)}])
def test_the_signature_covers_id_and_time(changed: dict[str, str]) -> None:
    secret = new_secret()
    sent = build_headers([secret], message_id="evt_1", timestamp=now(), body=BODY) | changed
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(BODY, sent)


def test_the_signature_covers_the_body_and_the_secret() -> None:
    secret = new_secret()
    sent = build_headers([secret], message_id="evt_1", timestamp=now(), body=BODY)
    with pytest.raises(WebhookVerificationError):
        Webhook(secret).verify(BODY + b" ", sent)
    with pytest.raises(WebhookVerificationError):
        Webhook(new_secret()).verify(BODY, sent)


def test_custom_headers_are_sent_unless_reserved() -> None:
    own = {"X-Api-Key": "k", "Webhook-Id": "evt_forged", "Host": "elsewhere", "CONTENT-LENGTH": "1", "Upgrade": "h2c"}
    sent = build_headers([new_secret()], message_id="evt_1", timestamp=7, body=BODY, custom=own)
    assert sorted(sent) == ["X-Api-Key", "content-type", "webhook-id", "webhook-signature", "webhook-timestamp"]
    assert (sent["webhook-id"], sent["webhook-timestamp"]) == ("evt_1", "7")


@pytest.mark.parametrize("name", ["webhook-id", "Webhook-Anything", "Content-Type", "HOST", "Transfer-Encoding", "TE"])
def test_reserved_names(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize("name", ["Authorization", "X-Api-Key", "webhooks", "hostname"])
def test_free_names(name: str) -> None:
    assert not is_reserved(name)


@pytest.mark.parametrize("secrets", [[], [""], ["whsec_"], ["whsec_not base64!"], ["whsec_ä"]])
def test_an_invalid_secret_is_rejected_without_being_quoted(secrets: list[str]) -> None:
    with pytest.raises(ValueError, match="secret") as refusal:
        sign(secrets, message_id="m", timestamp=1, body=b"")
    assert "not base64!" not in str(refusal.value)
    assert refusal.value.__cause__ is None
