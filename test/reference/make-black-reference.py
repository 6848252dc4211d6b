"""Writes black.json: volatilities implied by Black's formula, and the functions under them, to 60 digits.

Made with mpmath 1.3.0 (Python 3). Every input is a double taken as exact; every answer is the double nearest the truth.
Run from this folder: python3 make-black-reference.py
"""

import json
import random

import mpmath as mp

mp.mp.dps = 60
random.seed(7)


def cumulative(x):
    return mp.erfc(-x / mp.sqrt(2)) / 2


def density(x):
    return mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)


def out_of_the_money(forward, strike, s):
    """Undiscounted value, and its derivative in the total volatility s."""
    d1 = mp.log(forward / strike) / s + s / 2
    side = -1 if forward > strike else 1
    value = side * (forward * cumulative(side * d1) - strike * cumulative(side * (d1 - s)))
    return value, forward * density(d1)


def implied(forward, strike, discount, is_call, price, s):
    """Newton on the logarithm of the value, or of what it falls short of its bound, whichever is smaller."""
    intrinsic = max(forward - strike if is_call else strike - forward, 0)
    target = price / discount - intrinsic
    bound = min(forward, strike)
    for _ in range(200):
        value, vega = out_of_the_money(forward, strike, s)
        if target < bound / 2:
            step = mp.log(target / value) * value / vega
        else:
            step = -mp.log((bound - target) / (bound - value)) * (bound - value) / vega
        s += step
        if abs(step) < s * mp.mpf(10) ** -45:
            return s
    raise ArithmeticError('no convergence')


def case():
    forward = random.choice([100.0, 580.25, 5731.5, 1.0, 0.03125])
    discount = random.choice([1.0, random.uniform(0.6, 1.05)])
    t = 2 ** random.uniform(-19, 2.3)
    sigma = 10 ** random.uniform(-2, 0.7)
    s = sigma * t**0.5
    near = random.random() < 0.4
    strike = float(forward * mp.exp(random.uniform(-1, 1) * (0.2 * s if near else 5 * s + 0.05)))
    is_call = random.random() < 0.5
    value, _ = out_of_the_money(mp.mpf(forward), mp.mpf(strike), mp.mpf(s))
    intrinsic = max(forward - strike if is_call else strike - forward, 0)
    price = float(discount * (value + intrinsic))
    bound = discount * (forward if is_call else strike)
    if not (price > 1e-300 and price - discount * intrinsic > 1e-9 * price and bound - price > 1e-9 * price):
        return None
    exact = [mp.mpf(x) for x in (forward, strike, discount)]
    total = implied(*exact, is_call, mp.mpf(price), mp.mpf(s))
    right = 'call' if is_call else 'put'
    return [right, forward, strike, discount, t, price, float(total / mp.sqrt(mp.mpf(t)))]


def normal_rows():
    points = [random.uniform(-1, 8) for _ in range(60)] + [10 ** random.uniform(0.8, 6) for _ in range(30)]
    scaled = lambda z: mp.exp(z * z) * mp.erfc(z) if z < 30 else mp.quad(lambda u: mp.exp(-u * u / 4 - z * u), [0, 1 / z, 10 / z, 200 / z]) / mp.sqrt(mp.pi)
    return [[z, float(scaled(mp.mpf(z)))] for z in points]


def main():
    cases = []
    while len(cases) < 400:
        row = case()
        if row is not None:
            cases.append(row)
    tails = [random.uniform(-37, 6) for _ in range(60)]
    rows = lambda table: '[\n    ' + ',\n    '.join(json.dumps(row) for row in table) + '\n  ]'
    parts = {
        'source': json.dumps('mpmath 1.3.0, make-black-reference.py'),
        'columns': json.dumps(['right', 'forward', 'strike', 'discount', 't', 'price', 'sigma']),
        'implied': rows(cases),
        'erfcx': rows(normal_rows()),
        'normalCdf': rows([[x, float(cumulative(mp.mpf(x)))] for x in tails]),
    }
    with open('black.json', 'w') as out:
        out.write('{\n' + ',\n'.join(f'  "{name}": {text}' for name, text in parts.items()) + '\n}\n')


main()
