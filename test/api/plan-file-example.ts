/** Returns a plans file that is equivalent to the default plans. */
export function planFile() {
  const basic = ['etf', 'index']
  const growth = [...basic, 'full_chain', 'same_day']
  const alpha = [...growth, 'svi', 'full_screen', 'replay']
  return [
    {
      id: 'free',
      name: 'Free',
      rank: 0,
      dailyLimit: 5,
      freshness: 900_000,
      entitlements: [] as string[],
      alerts: 3,
      page: { screens: ['overview'], symbols: 10, sessions: 20 }
    },
    { id: 'basic', name: 'Basic', rank: 10, dailyLimit: 250, freshness: 15_000, entitlements: basic, alerts: 20 },
    { id: 'growth', name: 'Growth', rank: 20, dailyLimit: 2500, freshness: 15_000, entitlements: growth, alerts: 50 },
    {
      id: 'alpha',
      name: 'Alpha',
      rank: 30,
      dailyLimit: 'unlimited',
      freshness: 1000,
      entitlements: alpha,
      alerts: 200
    },
    {
      id: 'enterprise',
      name: 'Enterprise',
      rank: 40,
      dailyLimit: 'unlimited',
      freshness: 1000,
      entitlements: [...alpha, 'admin'],
      alerts: 500
    }
  ]
}
