"""The verdict on all requests, last: pytest runs the files in the order of their names."""

from conftest import control


def test_the_client_is_sound():
    verdict = control("GET", "/client-report?format=exit&strict=true", also=(409, 425))
    assert verdict.endswith("exit code 0\n"), verdict + control("GET", "/client-report?format=text&verbose=true&strict=true")
