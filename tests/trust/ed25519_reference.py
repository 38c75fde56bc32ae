"""Ed25519 from RFC 8032 in plain Python: slow and independent, the oracle of these tests."""

from __future__ import annotations

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int, int, int]


def add(a: Point, b: Point) -> Point:
    u, v = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    c, d = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = v - u, d - c, d + c, v + u
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply_point(n: int, point: Point) -> Point:
    result = (0, 1, 1, 0)
    while n:
        if n & 1:
            result = add(result, point)
        point = add(point, point)
        n >>= 1
    return result


def recover_x(y: int, sign: int) -> int:
    x2 = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - x2) % P:
        raise ValueError
    return P - x if x & 1 != sign else x


BY = 4 * pow(5, -1, P) % P
BX = recover_x(BY, 0)
B: Point = (BX, BY, 1, BX * BY % P)


def compress(point: Point) -> bytes:
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decompress(data: bytes) -> Point:
    number = int.from_bytes(data, "little")
    y = number & (1 << 255) - 1
    x = recover_x(y % P, number >> 255)
    return x, y % P, 1, x * y % P


def hash_to_scalar(*parts: bytes) -> int:
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def expand(seed: bytes) -> tuple[int, bytes]:
    h = hashlib.sha512(seed).digest()
    a = int.from_bytes(h[:32], "little") & (1 << 254) - 8 | 1 << 254
    return a, h[32:]


def derive_public_key(seed: bytes) -> bytes:
    return compress(multiply_point(expand(seed)[0], B))


def sign(seed: bytes, message: bytes, nonce: int | None = None) -> bytes:
    """Sign a message; a different ``nonce`` than the RFC's gives a second valid signature."""
    a, prefix = expand(seed)
    r = hash_to_scalar(prefix, message) % L if nonce is None else nonce
    big_r = compress(multiply_point(r, B))
    s = (r + hash_to_scalar(big_r, derive_public_key(seed), message) * a) % L
    return big_r + s.to_bytes(32, "little")


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Verify without cofactor: [S]B - [k]A encodes to the bytes of R, and S is below L (protocol 3.4)."""
    s = int.from_bytes(signature[32:], "little")
    k = hash_to_scalar(signature[:32], key, message) % L
    try:
        x, y, z, t = multiply_point(k, decompress(key))
    except ValueError:
        return False
    return s < L and compress(add(multiply_point(s, B), (-x % P, y, z, -t % P))) == signature[:32]
