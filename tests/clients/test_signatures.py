"""Verifying the signatures of webhooks with the client."""

import json
from datetime import UTC, datetime

import pytest
from formwright_client import InvalidSignatureError, verify_webhook
from standardwebhooks import Webhook

from formwright.domain.webhooks.signing import new_secret

SECRET, OTHER = new_secret(), new_secret()
VECTOR = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "Webhook-Timestamp": "1614265330",
    "Webhook-Signature": "v1,bm90IHRoaXM= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
VECTOR_SECRET, VECTOR_BODY, VECTOR_TIME = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}', 1614265330


def test_the_test_vector_of_the_standard_is_accepted() -> None:
    assert verify_webhook(VECTOR_SECRET, VECTOR, VECTOR_BODY, now=VECTOR_TIME) == {"test": 2432232314}
    assert verify_webhook([OTHER, VECTOR_SECRET], VECTOR, VECTOR_BODY, now=VECTOR_TIME + 299)
    assert verify_webhook(VECTOR_SECRET, VECTOR, VECTOR_BODY, now=VECTOR_TIME + 3000, tolerance=3000)


@pytest.mark.parametrize(
    ("changed", "body", "now"),
    [
        ({}, VECTOR_BODY + b" ", VECTOR_TIME),
        ({}, VECTOR_BODY, VECTOR_TIME + 301),
        ({}, VECTOR_BODY, VECTOR_TIME - 301),
        ({"Webhook-Id": "msg_other"}, VECTOR_BODY, VECTOR_TIME),
        ({"Webhook-Timestamp": "1614265331"}, VECTOR_BODY, VECTOR_TIME),
        ({"Webhook-Timestamp": ""}, VECTOR_BODY, VECTOR_TIME),
        ({"Webhook-Timestamp": "²" * 4}, VECTOR_BODY, VECTOR_TIME),
        ({"Webhook-Timestamp": "9" * 5000}, VECTOR_BODY, VECTOR_TIME),
        ({"Webhook-Signature": ""}, VECTOR_BODY, VECTOR_TIME),
        ({"Webhook-Signature": "v1,"}, VECTOR_BODY, VECTOR_TIME),
        ({"Webhook-Signature": "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}, VECTOR_BODY, VECTOR_TIME),
        ({"Webhook-Signature": "v1,\N{SNOWMAN}"}, VECTOR_BODY, VECTOR_TIME),
    ],
)
def test_a_changed_message_is_rejected(changed: dict[str, str], body: bytes, now: int) -> None:
    with pytest.raises(InvalidSignatureError):
        verify_webhook(VECTOR_SECRET, VECTOR | changed, body, now=now)


@pytest.mark.parametrize("name", VECTOR)
def test_a_message_without_a_header_is_rejected(name: str) -> None:
    with pytest.raises(InvalidSignatureError, match=name.lower()):
        verify_webhook(
            VECTOR_SECRET, {key: value for key, value in VECTOR.items() if key != name}, VECTOR_BODY, now=VECTOR_TIME
        )


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_no base64!", "SECRET"])
def test_an_invalid_secret_is_reported(secret: str) -> None:
    with pytest.raises(ValueError, match="whsec_"):
        verify_webhook(secret, VECTOR, VECTOR_BODY, now=VECTOR_TIME)


def test_without_a_secret_every_message_is_rejected() -> None:
    with pytest.raises(InvalidSignatureError):
        verify_webhook([], VECTOR, VECTOR_BODY, now=VECTOR_TIME)


def test_messages_signed_by_another_library_are_accepted() -> None:
    now, body = datetime.now(UTC), json.dumps({"id": "evt_1"})
    said = {
        "webhook-id": "evt_1",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(SECRET).sign("evt_1", now, body),
    }
    assert verify_webhook(SECRET, said, body.encode()) == {"id": "evt_1"}
