"""Made from the declarations of the service by `npm run docs`; do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class Account(TypedDict):
    user_id: str
    email: str
    plan: str
    """plan id, lower case"""
    daily_limit: str
    """digits, or the word unlimited"""
    usage_today: int
    """count; this request included; 0 on unlimited plans"""
    remaining: str
    """digits, or the word unlimited"""
    resets_at: str
    """next 00:00 UTC"""
    usage_by_day: List[DailyUsage]
    """the last 90 days that have any requests, oldest first, this one included"""
    capabilities: Capabilities
    key_hint: str
    """the last four characters of the requesting key"""


AdditionalGreeks = TypedDict(
    "AdditionalGreeks",
    {
        "lambda": "Union[float, None]",
        "veta": "float",
    },
)


class AdvVolatility(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    market_open: bool
    """whether the regular session was in progress at as_of"""
    svi_parameters: List[SviSlice]
    """accepted fits, by days to expiry"""
    svi_parameters_am: List[SviSlice]
    """accepted fits of AM-settled series, by days to expiry, whichever series stands for their date"""
    forward_prices: List[ForwardPrice]
    total_variance_surface: TotalVarianceSurface
    arbitrage_flags: List[ArbitrageFlag]
    variance_swap_fair_values: List[VarianceSwap]
    model_free: ModelFreeVolatility
    greeks_surfaces: GreekSurfaces


class Alert(TypedDict):
    id: str
    symbol: str
    metric: str
    """the canonical id"""
    params: Dict[str, Any]
    condition: Literal["above", "below", "crosses", "changes_by"]
    value: Union[float, ComparedMetric]
    """as of the metric; the number"""
    repeat: Literal["once", "each_time"]
    note: Union[str, None]
    webhook: Union[Webhook, None]
    state: Literal["armed", "paused", "done"]
    paused_because: Union[str, None]
    """null where its owner paused it, or nobody did"""
    created_at: str
    last_value: Union[float, None]
    """as of the metric; null: none is known yet"""
    last_value_at: Union[str, None]
    """the moment it describes"""
    last_fired_at: Union[str, None]
    fired_count: int
    """count"""


class AlertChange(TypedDict):
    state: NotRequired[Literal["armed", "paused"]]
    condition: NotRequired[Literal["above", "below", "crosses", "changes_by"]]
    value: NotRequired[Union[float, OtherMetric]]
    """what the metric is compared with: a number, or another metric of the same symbol"""
    repeat: NotRequired[Literal["once", "each_time"]]
    note: NotRequired[Union[str, None]]
    webhook: NotRequired[Union[NewWebhook, None]]


class AlertEvent(TypedDict):
    id: str
    """also the webhook-id of its message"""
    alert: str
    """id of the alert"""
    symbol: str
    metric: str
    text: str
    """what happened, in a sentence"""
    at: str
    value: float
    """as of the metric; the value that it fired at"""
    previous: Union[float, None]
    """as of the metric; the known value before"""
    target: float
    """as of the metric; what the value was compared with"""
    as_of: Union[str, None]
    """the moment the value describes"""
    source: str
    """where the data comes from"""
    delivery: Literal["none", "waiting", "delivered", "given_up"]
    attempts: int
    """count"""
    attempted_at: Union[str, None]
    next_attempt_at: Union[str, None]
    failure: Union[str, None]
    """why the last attempt failed"""


class ArbitrageFlag(TypedDict):
    expiry: str
    """a date; for calendar the earlier and the later one, joined by a slash"""
    type: Literal["butterfly", "calendar"]
    strike_or_k: float
    """log-moneyness; where it is worst"""
    found_in: Literal["fit", "quotes"]
    description: str
    condition: Literal["d2w_dk2", "durrleman_g", "total_variance_decrease"]
    value: float
    """quantity; the offending quantity there"""


class AttributedContracts(TypedDict):
    common: int
    """count; in both, with a volatility in both"""
    since_only: int
    """count"""
    now_only: int
    """count"""


AttributionExpiration = TypedDict(
    "AttributionExpiration",
    {
        "expiration": "str",
        "from": "float",
        "to": "float",
    },
)


AttributionStrike = TypedDict(
    "AttributionStrike",
    {
        "strike": "float",
        "from": "float",
        "to": "float",
    },
)


class AuditEntry(TypedDict):
    at: str
    actor: str
    """the account that acted, or the command line"""
    action: Literal["user.create", "user.set_plan", "user.remove", "user.link", "key.create", "key.revoke", "key.rotate", "bundle.grant", "bundle.revoke", "demo.remove", "alert.create", "alert.change", "alert.remove", "webhook.rotate", "browser.add", "browser.remove", "doubt.accept", "settings.reload"]
    target: str
    """email of the user, or of the owner of the key"""
    detail: Dict[str, str]


class AverageSpreads(TypedDict):
    atm_avg_spread_pct: Union[float, None]
    """percent; of mid, strikes within 2 % of spot"""
    wing_avg_spread_pct: Union[float, None]
    """percent; of mid, more than 10 % out of the money"""
    atm_contracts: int
    """contracts; averaged"""
    wing_contracts: int
    """contracts; averaged"""


BandCalibration = TypedDict(
    "BandCalibration",
    {
        "basis": "Literal[\"symbol\", \"class\", \"all\"]",
        "mornings": "int",
        "held_pct": "float",
        "class": "Literal[\"index\", \"etf\", \"equity\"]",
    },
)


class BandFigures(TypedDict):
    source: Literal["default", "calibrated"]
    sessions: int
    """count; that they were measured over"""


class BarGap(TypedDict):
    start: str
    end: str
    """exclusive"""
    missing_bars: int
    """count"""


class Bars(TypedDict):
    symbol: str
    """underlying ticker"""
    as_of: str
    """the moment the answer describes, UTC: no bar holds anything later"""
    every: Literal["1m", "5m", "15m", "30m", "1h", "1d", "1w"]
    t0: Union[int, None]
    """epoch-seconds; beginning of the first bar, seconds since 1970 UTC; null without a bar"""
    dt: List[int]
    o: List[Union[float, None]]
    """first price of each bar"""
    h: List[Union[float, None]]
    """highest price; of snapshots the highest that was sampled"""
    l: List[Union[float, None]]
    """lowest price; of snapshots the lowest that was sampled"""
    c: List[Union[float, None]]
    """last price"""
    v: List[Union[int, None]]
    """volume in the unit of volume_of; null where it is unknown"""
    volume_of: Union[Literal["shares", "contracts"], None]
    made_of: List[List[Union[int, Literal["tape", "snapshots", "daily", "generated"]]]]
    """where the prices of the bars come from: ascending, each [from, before, word], seconds since 1970 UTC"""
    columns: Dict[str, List[Union[float, None]]]
    """one array for each field asked for, as long as dt, of the last snapshot within each bar and before the close: underlying_price, net_gex, net_dex, net_vex, net_chex, gamma_flip, call_wall, put_wall, call_wall_above, put_wall_below, max_positive_gamma, max_negative_gamma, max_pain, atm_iv, atm_iv_30d, skew_25d, expected_move_1d, pc_ratio_oi, pc_ratio_volume, total_call_oi, total_put_oi, total_call_volume, total_put_volume, zero_dte.net_gex, zero_dte.net_chex, zero_dte.call_wall, zero_dte.put_wall, zero_dte.magnet, zero_dte.pin_score, zero_dte.theta_per_hour, zero_dte.remaining_1sd_dollars, flow.net_premium, flow.delta_dollars, flow.hedge.delta, flow.hedge.delta_calls, flow.hedge.delta_puts, flow.hedge.delta_next, flow.hedge.gamma, flow.hedge.vega, flow.net_gex_live"""
    recorded: List[List[Union[int, Literal["minutes", "closes", "imported"]]]]
    """sessions of which snapshots are kept: ascending, each [from, before, word], seconds since 1970 UTC"""
    incomplete: List[IncompleteStretch]
    """stretches with snapshots whose figures wait to be made, by formulas that changed or of prints"""


class BasketConstituent(TypedDict):
    symbol: str
    weight: float
    """fraction; scaled so that the weights add up to 1"""
    underlying_price: float
    """price"""
    net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""
    net_dex: float
    """usd-notional; USD delta of the option holders"""
    net_vex: float
    """usd-notional; USD of delta gained per +1.00 of volatility"""
    net_chex: float
    """usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry"""
    contribution_pct: float
    """percent; 100 |weight net_gex| over the sum of them"""
    regime: Literal["positive_gamma", "negative_gamma"]


class BrowserKeys(TypedDict):
    p256dh: str
    """public key of the browser on P-256, base64url"""
    auth: str
    """secret of the browser, base64url"""


class Bundle(TypedDict):
    id: str
    user_id: str
    email: str
    blocks: int
    """count; each allows 500 subscriptions"""
    granted_at: str
    ends_at: Union[str, None]
    """the first moment without it; null: it does not end"""


class Capabilities(TypedDict):
    stream: Union[StreamBundle, None]
    replay: bool
    """past moments may be requested"""
    admin: bool
    """this key may manage users and keys"""
    freshness_seconds: float
    """seconds; how old the data of an answer may be"""
    features: List[Literal["etf", "index", "full_chain", "same_day", "svi", "full_screen", "replay", "admin"]]
    """what the plan opens, by the words of the plan file"""


ChartBasis = TypedDict(
    "ChartBasis",
    {
        "factor": "float",
        "expiry": "Union[str, None]",
        "rate": "Union[float, None]",
        "yield": "Union[float, None]",
    },
)


class ChartLevel(TypedDict):
    id: Literal["gamma_flip", "call_wall", "put_wall", "max_pain", "zero_dte_magnet", "zero_dte_call_wall", "zero_dte_put_wall", "expected_move_upper", "expected_move_lower", "gex_1", "gex_2", "gex_3", "gex_4", "gex_5"]
    label: str
    """name and level of the symbol"""
    price: float
    """price; of the instrument"""


class ChexStrikeRow(TypedDict):
    strike: float
    """price"""
    call_chex: float
    """usd-notional"""
    put_chex: float
    """usd-notional"""
    net_chex: float
    """usd-notional"""


class ComparedMetric(TypedDict):
    metric: str
    params: Any


class ContractContribution(TypedDict):
    expiration: str
    strike: float
    """price"""
    right: Literal["call", "put"]
    open_interest: int
    """contracts"""
    sigma_source: Literal["own_mid", "twin", "smile"]
    value: float
    """usd-notional"""
    share: float
    """fraction; of gross"""


class ContractCounts(TypedDict):
    listed: int
    """count; live contracts"""
    two_sided: int
    """count; with a bid above 0 and an ask not below it"""
    with_open_interest: int
    """count"""


class ContractQuote(TypedDict):
    underlying: str
    type: Literal["C", "P"]
    expiry: str
    strike: float
    """price"""
    bid: float
    """price"""
    ask: float
    """price"""
    mid: float
    """price"""
    bidSize: int
    """contracts; 0 where the feed has none"""
    askSize: int
    """contracts; 0 where the feed has none"""
    lastUpdate: str
    implied_vol: Union[float, None]
    """fraction; inverted from the mid"""
    iv_bid: Union[float, None]
    """fraction; inverted from the bid"""
    iv_ask: Union[float, None]
    """fraction; inverted from the ask"""
    delta: Union[float, None]
    """greek; per share"""
    gamma: Union[float, None]
    """greek; per share, per USD of spot"""
    theta: Union[float, None]
    """greek; USD per share and calendar day passing"""
    vega: Union[float, None]
    """greek; USD per share and 0.01 of volatility"""
    rho: Union[float, None]
    """greek; USD per share and 0.01 of rate"""
    vanna: Union[float, None]
    """greek; delta per 1.00 of volatility"""
    charm: Union[float, None]
    """greek; delta per calendar day passing"""
    greeks_note: NotRequired[str]
    """on the last day of the contract, what theta and charm mean"""
    svi_vol: Union[float, None]
    """fraction; of the fitted smile at this strike"""
    svi_vol_gated: Union[Literal["requires_alpha_tier", "backtest_mode", "not_fitted"], None]
    open_interest: int
    """contracts"""
    volume: int
    """contracts"""
    occ_symbol: str
    """tells apart series that share expiry, strike and type, such as SPX and SPXW"""


class ContributionRemainder(TypedDict):
    by_expiration: float
    """usd-notional"""
    by_strike: float
    """usd-notional"""
    by_contract: float
    """usd-notional"""


class Contributions(TypedDict):
    gross: float
    """usd-notional; sum of the absolute contributions of the contracts"""
    by_right: List[RightContribution]
    by_expiration: List[ExpirationContribution]
    """by absolute size"""
    by_strike: List[StrikeContribution]
    """by absolute size"""
    by_contract: List[ContractContribution]
    """by absolute size"""
    remainder: ContributionRemainder


class CustomerGroupSide(TypedDict):
    group: Literal["calls_out", "calls_in", "puts_out", "puts_in"]
    sessions: int
    """count; sessions in which a contract of the group traded"""
    slope: Union[float, None]
    """ratio; contracts of open interest for each contract that customers bought more than they sold"""
    standard_error: Union[float, None]
    """ratio; of the slope"""
    side: Union[Literal["long", "short"], None]
    verdict: Literal["fits", "contradicts", "not_shown"]


class CustomerSides(TypedDict):
    since: str
    """the first session that counts"""
    sessions: int
    """count; sessions whose flow and following open interest are known, at most the newest 60"""
    groups: List[CustomerGroupSide]


class DailyUsage(TypedDict):
    date: str
    """UTC"""
    requests: int
    """count; counted on unlimited plans too"""
    of_panels: int
    """count; how many of them came from embedded panels"""


class DataQuality(TypedDict):
    score: int
    """score-0-100"""
    warnings: List[Literal["stale_quotes", "delayed_data", "market_closed", "one_sided_quotes", "no_open_interest", "thin_chain", "short_history"]]


class DealerModelTotals(TypedDict):
    id: Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]
    available: bool
    reason: Union[str, None]
    """why it is not available"""
    net_gex: Union[float, None]
    """usd-notional; USD of delta gained per 1 % move of spot"""
    net_vex: Union[float, None]
    """usd-notional; USD of delta gained per +1.00 of volatility"""
    net_chex: Union[float, None]
    """usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry"""
    dealer_delta: Union[float, None]
    """usd-notional; delta of the option book that the model gives to dealers, before any hedge"""
    gamma_flip: Union[float, None]
    """price"""
    regime: Union[Literal["positive_gamma", "negative_gamma", "undetermined"], None]
    call_wall: Union[float, None]
    """price"""
    put_wall: Union[float, None]
    """price"""


class DealerRegimeMetrics(TypedDict):
    net_gamma: Union[float, None]
    """usd-notional; net_gex of the scope, USD per 1 % move"""
    net_delta: Union[float, None]
    """usd-notional; net_dex of the scope"""
    gamma_source: Union[Literal["settled_oi", "live_oi"], None]
    gamma_flip: Union[float, None]
    """price"""
    call_wall: Union[float, None]
    """price"""
    put_wall: Union[float, None]
    """price"""
    distance_to_flip_pct: Union[float, None]
    """percent; spot minus flip, of spot"""
    spot_position_label: Union[Literal["above_call_wall", "below_put_wall", "between_walls_above_flip", "between_walls_below_flip", "unknown"], None]
    net_vex: Union[float, None]
    """usd-notional"""
    net_vex_per_point: Union[float, None]
    """usd-notional; USD of delta gained per volatility point"""
    net_chex: Union[float, None]
    """usd-notional"""
    underlying_price: float
    """price"""


class DexStrikeRow(TypedDict):
    strike: float
    """price"""
    call_dex: float
    """usd-notional; 0 or more"""
    put_dex: float
    """usd-notional; 0 or less"""
    net_dex: float
    """usd-notional"""


class Dispersion(TypedDict):
    as_of: str
    """the newest moment among index and constituents, UTC"""
    index: str
    constituent_count: int
    """count"""
    missing_symbols: List[str]
    """symbols without a volatility, left out"""
    horizon_days: int
    """days"""
    implied_correlation: Union[float, None]
    """fraction; not limited to -1 to 1"""
    realized_correlation: Union[float, None]
    """fraction; over the last horizon_days common returns"""
    correlation_premium: Union[float, None]
    """fraction; implied minus realized"""
    implied_vol_index: float
    """fraction; at the money, a fraction"""
    implied_vol_basket: float
    """fraction; mean of the constituents by weight, a fraction"""
    top_contributors: List[DispersionContributor]


class DispersionContributor(TypedDict):
    symbol: str
    weight: float
    """fraction; scaled so that the weights add up to 1"""
    iv: float
    """fraction"""
    contribution_to_basket_vol: float
    """fraction; weight × iv"""


class EarningsCalendar(TypedDict):
    events: List[EarningsEvent]
    count: int
    """count"""


class EarningsDealerPositioning(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    earnings_date: str
    """as the calendar states it"""
    event_expiry: Union[str, None]
    """the first expiration on that day or later"""
    levels: EarningsPositioningLevels
    gex_by_dte_bucket: List[EarningsGexBucket]
    top_strikes: List[EarningsGexStrike]
    charm_acceleration: Union[float, None]
    """fraction; charm exposure of event_expiry by size, over that of the chain"""
    regime: Literal["positive_gamma", "negative_gamma", "undetermined"]


class EarningsEvent(TypedDict):
    symbol: str
    company_name: Union[str, None]
    earnings_date: str
    """as the calendar states it"""
    days_to_event: int
    """days"""
    timing: Union[Literal["bmo", "amc", "dmh"], None]
    importance: Union[int, None]
    """score-1-5; 5 moves markets most"""
    implied_move_pct: Union[float, None]
    """percent; of the report alone, the newest that was taken of its chain"""
    is_confirmed: bool
    """whether the company named the date"""
    fiscal_period: Union[str, None]
    fiscal_year: Union[int, None]
    """year"""
    eps_estimate: Union[float, None]
    """usd; per share"""


class EarningsExpectedMove(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    earnings_date: str
    """as the calendar states it"""
    session: Union[Literal["bmo", "amc", "dmh"], None]
    days_to_event: int
    """days"""
    expected_move: Union[EarningsMoveEstimate, None]


class EarningsGexBucket(TypedDict):
    bucket: Literal["pre_event", "event_week", "post_event"]
    net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""
    contract_count: int
    """contracts; series with open interest"""


class EarningsGexStrike(TypedDict):
    strike: float
    """price"""
    net_gex: float
    """usd-notional"""
    call_oi: int
    """contracts"""
    put_oi: int
    """contracts"""


class EarningsHistory(TypedDict):
    symbol: str
    count: int
    """count"""
    history: List[EarningsReport]


class EarningsIvCrush(TypedDict):
    symbol: str
    as_of: str
    """the moment of the chain, UTC; the present minute without one"""
    earnings_date: Union[str, None]
    """as the calendar states it; null where no coming report is known"""
    current_estimate: Union[IvCrushEstimate, None]
    distribution: IvCrushDistribution


class EarningsMoveEstimate(TypedDict):
    raw_straddle_pct: float
    """percent; expected absolute move to the first expiration behind the report"""
    earnings_implied_pct: float
    """percent; the part of the report"""
    baseline_drift_pct: float
    """percent; the part of everyday trading; squares add up"""
    earnings_iv: float
    """percent; volatility at the money of that expiration"""
    term_iv_post_event: float
    """percent; of the expiration behind it"""
    term_kink_pct: float
    """percent; the first above the second, vol points"""


class EarningsPositioningLevels(TypedDict):
    gamma_flip: Union[float, None]
    """price"""
    call_wall: Union[float, None]
    """price; above spot, the largest positive net gamma"""
    put_wall: Union[float, None]
    """price; below spot, the most negative put gamma"""
    highest_oi_strike: Union[float, None]
    """price"""


class EarningsReport(TypedDict):
    date: str
    fiscal_period: Union[str, None]
    fiscal_year: Union[int, None]
    """year"""
    eps_estimate: Union[float, None]
    """usd; per share"""
    eps_actual: float
    """usd; per share"""
    eps_surprise_pct: Union[float, None]
    """percent; of the estimate"""
    revenue_actual: Union[float, None]
    """usd"""
    revenue_surprise_pct: Union[float, None]
    """percent; of the estimate"""
    implied_move_pct: Union[float, None]
    """percent; of the report alone, at the close before"""
    actual_move_pct: Union[float, None]
    """percent; from the close before to the close after, signed"""
    iv_crush_pct: Union[float, None]
    """percent; of the volatility before"""
    pre_atm_iv: Union[float, None]
    """percent; of the first expiration behind the report, at the close before"""
    post_atm_iv: Union[float, None]
    """percent; of the same expiration, at the close after"""


class EarningsRiskPremium(TypedDict):
    implied_move_pct: Union[float, None]
    """percent; of the report alone"""
    realized_median: Union[float, None]
    """percent; of the absolute moves at the newest 20 reports at most"""
    realized_mean: Union[float, None]
    """percent"""
    premium_ratio: Union[float, None]
    """ratio; implied over the median"""
    z_score: Union[float, None]
    """sigmas; implied above the mean"""
    percentile: Union[float, None]
    """score-0-100; share of past moves below"""
    assessment: Literal["rich", "slightly_rich", "fair", "slightly_cheap", "cheap", "insufficient_data"]
    directional_bias: Union[Literal["downside_overpriced", "upside_overpriced"], None]


class EarningsScreener(TypedDict):
    events: List[EarningsScreenerRow]
    count: int
    """count; reports that matched, before limit"""


class EarningsScreenerRow(TypedDict):
    symbol: str
    company_name: Union[str, None]
    earnings_date: str
    """as the calendar states it"""
    days_to_event: int
    """days"""
    timing: Union[Literal["bmo", "amc", "dmh"], None]
    importance: Union[int, None]
    """score-1-5; 5 moves markets most"""
    implied_move_pct: Union[float, None]
    """percent; of the report alone, the newest that was taken of its chain"""
    premium_ratio: Union[float, None]
    """ratio; implied move over the usual one"""
    iv_crush_median: Union[float, None]
    """percent; of the volatility before, at past reports"""
    assessment: Union[Literal["rich", "slightly_rich", "fair", "slightly_cheap", "cheap", "insufficient_data"], None]


class EarningsStrategies(TypedDict):
    symbol: str
    as_of: str
    """the moment the answer describes, UTC"""
    earnings_date: str
    """as the calendar states it"""
    scores: EarningsStrategyScores
    context: EarningsStrategyContext


class EarningsStrategyContext(TypedDict):
    premium_ratio: Union[float, None]
    """ratio; implied move over the usual one"""
    iv_crush_median: Union[float, None]
    """percent; of the volatility before"""
    regime: Literal["positive_gamma", "negative_gamma", "undetermined"]
    implied_move_pct: Union[float, None]
    """percent; of the report alone"""


class EarningsStrategyScores(TypedDict):
    long_straddle: int
    """score-0-100; cheap premium, dealers short gamma"""
    short_strangle: int
    """score-0-100; rich premium, dealers long gamma, volatility that falls"""
    iron_condor: int
    """score-0-100; the same with bounded risk"""
    calendar_spread: int
    """score-0-100; volatility that falls"""
    earnings_diagonal: int
    """score-0-100; the same, with past moves to one side"""


class EarningsVrp(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    earnings_date: str
    """as the calendar states it"""
    days_to_event: int
    """days"""
    earnings_vrp: EarningsRiskPremium
    surprise_reaction: SurpriseReaction


class EmbedToken(TypedDict):
    token: str
    """for the header X-Embed-Token of the panel"""
    expires_at: str
    """sooner where the key ends or the service is started again"""


class Error(TypedDict):
    error: str
    """one of the codes under x-error-codes"""
    message: str
    """what to change, in a sentence"""
    status: NotRequired[str]
    parameter: NotRequired[str]
    """the input that was refused"""
    request_id: NotRequired[str]
    """names the request in the log of the operator"""


class EvidenceSummary(TypedDict):
    sigma_sources: VolatilitySourceShares
    quote_age: Union[QuoteAge, None]
    spreads: SpreadWidths
    left_out: List[LeftOutContracts]
    """contracts of the scope without exposure"""


EwmaForecast = TypedDict(
    "EwmaForecast",
    {
        "lambda": "float",
        "vol_annualized": "float",
        "next_day_forecast": "float",
    },
)


class ExpectedDividend(TypedDict):
    ex_date: str
    amount: float
    """price; USD per share"""


class ExpectedMove(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    expected_moves: List[ExpirationExpectedMove]


class ExpirationContribution(TypedDict):
    expiration: str
    value: float
    """usd-notional"""
    share: float
    """fraction; of gross"""


class ExpirationExpectedMove(TypedDict):
    expiry: str
    daysToExpiry: int
    """days"""
    root: str
    """option root"""
    settlement: Literal["am", "pm"]
    atmIv: Union[float, None]
    """fraction; at the forward, a fraction"""
    expectedMove: Union[float, None]
    """price; spot × atmIv × √T"""
    expectedMovePct: Union[float, None]
    """percent"""
    lowerBound: Union[float, None]
    """price; spot × exp(-atmIv √T)"""
    upperBound: Union[float, None]
    """price; spot × exp(atmIv √T)"""


class ExpirationExposures(TypedDict):
    expiration: str
    dte: int
    """days"""
    is_opex: bool
    is_triple_witching: bool
    net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""
    net_dex: float
    """usd-notional; USD delta of the option holders"""
    net_vex: float
    """usd-notional; USD of delta gained per +1.00 of volatility"""
    net_chex: float
    """usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry"""
    pct_of_chain_gex: float
    """percent; 100 |net_gex| over the sum of them"""


class ExpirationLiquidity(TypedDict):
    expiration: str
    dte: int
    """days"""
    atm_spread_pct: Union[float, None]
    """percent; of mid, at the listed strike nearest to spot"""
    weighted_spread_pct: Union[float, None]
    """percent; of mid, by open interest"""
    atm_oi: int
    """contracts"""
    execution_score: int
    """score-0-100"""
    label: Literal["tight", "normal", "wide", "illiquid"]


class ExpirationMaxPain(TypedDict):
    expiration: str
    max_pain_strike: float
    """price"""
    dte: int
    """days"""
    total_oi: int
    """contracts"""


class ExpirationModelFree(TypedDict):
    expiration: str
    root: str
    """option root"""
    settlement: Literal["am", "pm"]
    vol: Union[float, None]
    """percent; of the quoted strip, calendar minutes"""
    strikes_used: int
    """count"""


class ExpirationPutCall(TypedDict):
    expiry: str
    call_oi: int
    """contracts"""
    put_oi: int
    """contracts"""
    pc_ratio_oi: Union[float, None]
    """ratio"""
    call_volume: int
    """contracts"""
    put_volume: int
    """contracts"""
    pc_ratio_volume: Union[float, None]
    """ratio"""


class ExpirationScope(TypedDict):
    expiration: Union[str, None]
    """the requested expiration; null for the whole chain"""
    filter: NotRequired[str]
    """the set of expirations that was asked for, as a value of expirations that means the same"""
    expirations: List[str]
    """the dates whose contracts are added up, ascending"""
    contracts: int
    """contracts; listed contracts among them"""


class ExpirationSetScope(TypedDict):
    filter: str
    """the set of expirations that was asked for, as a value of expirations that means the same"""
    expirations: List[str]
    """the dates whose contracts are added up, ascending"""
    contracts: int
    """contracts; listed contracts among them"""


class ExpirationSkew(TypedDict):
    expiry: str
    dte: int
    """days"""
    root: str
    """option root"""
    settlement: Literal["am", "pm"]
    atm_iv: float
    """percent"""
    put_25d_iv: float
    """percent"""
    call_25d_iv: float
    """percent"""
    put_10d_iv: float
    """percent"""
    call_10d_iv: float
    """percent"""
    skew_25d: float
    """percent; put minus call, vol points"""
    risk_reversal_25d: float
    """percent; call minus put, vol points"""
    butterfly_25d: float
    """percent; mean of call and put minus the center, vol points"""
    tail_convexity: float
    """percent; how the downside steepens, vol points"""


class ExpirationStrikes(TypedDict):
    expiration: str
    strikes: List[float]


class ExpirationVolatility(TypedDict):
    expiry: str
    iv: float
    """percent; at the forward of a fitted slice"""
    days_to_expiry: int
    """days"""
    root: str
    """option root"""
    settlement: Literal["am", "pm"]


class ExpiryPositioningMetrics(TypedDict):
    max_pain_strike: Union[float, None]
    """price; strike at which option holders are paid least"""
    distance_to_pain_pct: Union[float, None]
    """percent; of spot, unsigned"""
    oi_concentration_score: Union[int, None]
    """score-0-100; of the three largest strikes"""
    total_open_interest: Union[int, None]
    """contracts"""
    expiry: Union[str, None]
    days_to_expiry: Union[int, None]
    """days"""
    gamma_flip: Union[float, None]
    """price"""
    call_wall: Union[float, None]
    """price"""
    put_wall: Union[float, None]
    """price"""
    distance_to_flip_pct: Union[float, None]
    """percent; spot minus flip, of spot"""
    spot_position_label: Union[Literal["above_call_wall", "below_put_wall", "between_walls_above_flip", "between_walls_below_flip", "unknown"], None]
    underlying_price: float
    """price"""


class ExposureAttribution(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    since: str
    """the moment of the earlier chain, UTC"""
    underlying_price_since: float
    """price"""
    contracts: AttributedContracts
    gex: ExposureChangeParts
    dex: ExposureChangeParts
    vex: ExposureChangeParts
    chex: ExposureChangeParts
    top_expirations: List[AttributionExpiration]
    """where gex changed most"""
    top_strikes: List[AttributionStrike]
    """where gex changed most"""
    scope: NotRequired[ExpirationSetScope]


class ExposureBand(TypedDict):
    value: float
    """usd-notional; that of the plain endpoint, at settled open interest"""
    expected: float
    """usd-notional; at the open interest that the session's volume leads to expect"""
    shift: float
    """usd-notional; expected less value: what the volume since the last settlement is expected to add"""
    calibration: Union[Literal["prior"], BandCalibration]
    """whose mornings correct the band: with fewer than 20 of the symbol those of other symbols of its class, else of all others; prior: there are fewer of all others too"""
    positions: Quantiles
    quotes: QuoteRange
    sign: Quantiles
    combined: Quantiles


class ExposureBands(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    sign_confidence: float
    """fraction; that the conventional side is right: a stated prior, not a measurement"""
    figures: BandFigures
    net_gex: ExposureBand
    net_dex: ExposureBand
    net_vex: ExposureBand
    net_chex: ExposureBand
    gamma_flip: GammaFlipBand
    regime: RegimeProbability
    walls: WallProbabilities
    scope: NotRequired[ExpirationSetScope]


class ExposureBasket(TypedDict):
    as_of: str
    """the oldest moment among the constituents"""
    constituent_count: int
    """count"""
    missing_symbols: List[str]
    """symbols without data, left out"""
    aggregate: NetExposures
    constituents: List[BasketConstituent]


ExposureChangeParts = TypedDict(
    "ExposureChangeParts",
    {
        "from": "float",
        "to": "float",
        "listing": "float",
        "open_interest": "float",
        "time": "float",
        "spot": "float",
        "volatility": "float",
        "carry": "float",
    },
)


class ExposureChanges(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    windows: List[GammaChangeWindow]


ExposureChartLevels = TypedDict(
    "ExposureChartLevels",
    {
        "symbol": "str",
        "underlying_price": "float",
        "as_of": "str",
        "as": "str",
        "basis": "Union[ChartBasis, None]",
        "levels": "List[ChartLevel]",
        "scope": "NotRequired[ExpirationSetScope]",
    },
)


class ExposureChex(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    dealer_model: NotRequired[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]]
    weight: NotRequired[Literal["oi", "volume", "effective"]]
    net_chex: float
    """usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry"""
    chex_interpretation: str
    """how dealers react to the passage of time"""
    reading: Reading
    strikes: List[ChexStrikeRow]
    scope: ExpirationScope


class ExposureDex(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    dealer_model: NotRequired[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]]
    weight: NotRequired[Literal["oi", "volume", "effective"]]
    net_dex: float
    """usd-notional; USD delta of the option holders"""
    strikes: List[DexStrikeRow]
    scope: ExpirationScope


class ExposureExplain(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    metric: Literal["net_gex", "net_dex", "net_vex", "net_chex", "gamma_flip", "call_wall", "put_wall", "magnet", "max_pain"]
    value: Union[float, None]
    """usd-notional; that of the plain endpoint; a price for levels"""
    null_reason: Union[Literal["no_exposure", "no_open_interest", "no_same_day", "one_sided", "other_side", "outside_strikes"], None]
    contributions: Union[Contributions, None]
    crossings: Union[List[FlipCrossing], None]
    """ascending"""
    candidates: Union[LevelCandidates, None]
    rests_on: EvidenceSummary
    scope: NotRequired[ExpirationSetScope]


class ExposureGex(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    dealer_model: NotRequired[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]]
    weight: NotRequired[Literal["oi", "volume", "effective"]]
    gamma_flip: Union[float, None]
    """price; spot at which net gamma exposure crosses zero, volatilities held"""
    net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""
    net_gex_label: Literal["positive", "negative", "neutral"]
    strikes: List[GexStrikeRow]
    scope: ExpirationScope


class ExposureHigher(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    dealer_model: NotRequired[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]]
    weight: NotRequired[Literal["oi", "volume", "effective"]]
    net_speed: float
    """usd-notional; USD of gamma exposure gained per 1 % rise of spot"""
    net_zomma: float
    """usd-notional; USD of gamma exposure gained per volatility point"""
    net_vomma: float
    """usd-notional; USD of vega per point gained per volatility point"""
    strikes: List[HigherStrikeRow]
    """strikes at which dealers hold priced contracts"""
    scope: ExpirationScope


class ExposureHistory(TypedDict):
    symbol: str
    days: int
    """days"""
    count: int
    """count"""
    snapshots: List[ExposureSnapshot]


class ExposureInterpretation(TypedDict):
    gamma: str
    vanna: str
    charm: str


class ExposureLevels(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    dealer_model: NotRequired[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]]
    levels: KeyLevels
    levels_by_scope: LevelsByHorizon
    scope: ExpirationScope


class ExposureMatrix(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    dealer_model: NotRequired[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]]
    metric: Literal["gex", "dex", "vex", "chex", "oi", "oi_change", "volume"]
    by: Literal["expiration", "time"]
    strikes: List[float]
    """within range_pct of underlying_price, ascending"""
    columns: List[str]
    """expiration dates, or times of recorded snapshots; ascending"""
    values: List[List[Union[float, None]]]
    """a row for each strike, a value for each column; null where the column does not list the strike"""
    row_totals: List[float]
    column_totals: List[float]
    """over the strikes shown"""
    outside: List[float]
    """the rest of each column, over the strikes not shown"""
    scope: NotRequired[ExpirationSetScope]


class ExposureModels(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    agreement: Union[float, None]
    """fraction; of the available models whose regime is that of the convention, which counts; null where that has none"""
    customers: Union[CustomerSides, None]
    models: List[DealerModelTotals]
    scope: NotRequired[ExpirationSetScope]


class ExposureNarrative(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    reading: Reading
    narrative: Narrative


class ExposureOiDiff(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    prior_snapshot_available: bool
    total_call_oi_change: int
    """contracts; over all contracts listed on both days"""
    total_put_oi_change: int
    """contracts; over all contracts listed on both days"""
    top_oi_changes: List[OpenInterestChange]


class ExposureProfile(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    dealer_model: NotRequired[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]]
    weight: NotRequired[Literal["oi", "volume", "effective"]]
    when: Literal["now", "close", "next_open"]
    vol_shift: float
    """vol-points; added to every volatility"""
    spots: List[float]
    """ascending, underlying_price in the middle"""
    gex: List[float]
    """USD of delta gained per 1 % move of spot at each of spots"""
    dex: List[float]
    """USD delta of the option holders at each of spots"""
    vex: List[float]
    """USD of delta gained per +1.00 of volatility at each of spots"""
    chex: List[float]
    """USD of delta gained per calendar day passing; of contracts that expire today, to their expiry at each of spots"""
    by_bucket: List[ProfileBucket]
    """gex by days to expiry at as_of"""
    crossings: List[float]
    """spots at which gex changes its sign, ascending"""
    scope: NotRequired[ExpirationSetScope]


class ExposureSheet(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    expiration: Union[str, None]
    """echo of the filter"""
    is_opex: bool
    is_triple_witching: bool
    totals: SheetTotals
    lis: Union[LargestInventoryStrike, None]
    peaks: List[GexPeak]
    strikes: List[SheetStrikeRow]
    scope: ExpirationScope


class ExposureSnapshot(TypedDict):
    date: str
    underlying_price: float
    """price; close"""
    net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""
    net_dex: float
    """usd-notional; USD delta of the option holders"""
    net_vex: float
    """usd-notional; USD of delta gained per +1.00 of volatility"""
    net_chex: float
    """usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry"""
    gamma_flip: Union[float, None]
    """price"""
    call_wall: Union[float, None]
    """price"""
    put_wall: Union[float, None]
    """price"""
    regime: Literal["positive_gamma", "negative_gamma", "undetermined"]


class ExposureSummary(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    dealer_model: NotRequired[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]]
    gamma_flip: Union[float, None]
    """price"""
    regime: Literal["positive_gamma", "negative_gamma", "undetermined"]
    exposures: NetExposures
    interpretation: ExposureInterpretation
    reading: Reading
    hedging_estimate: HedgingEstimates
    zero_dte: ZeroDteShare
    scope: NotRequired[ExpirationSetScope]


class ExposureTermStructure(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    by_dte_bucket: List[TenorExposures]
    by_expiry: List[ExpirationExposures]


class ExposureVex(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    dealer_model: NotRequired[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]]
    weight: NotRequired[Literal["oi", "volume", "effective"]]
    net_vex: float
    """usd-notional; USD of delta gained per +1.00 of volatility"""
    net_vex_per_point: float
    """usd-notional; USD of delta gained per volatility point: net_vex / 100"""
    vex_interpretation: str
    """how dealers react to rising volatility"""
    reading: Reading
    strikes: List[VexStrikeRow]
    scope: ExpirationScope


class FearAndGreed(TypedDict):
    score: int
    """score-0-100"""
    rating: Literal["Extreme Fear", "Fear", "Neutral", "Greed", "Extreme Greed"]


class FirstOrderGreeks(TypedDict):
    delta: float
    """greek"""
    gamma: float
    """greek"""
    theta: float
    """usd-per-day; per calendar day passing"""
    vega: float
    """usd per vol point"""
    rho: float
    """usd per 1.00 rate"""


FlipCrossing = TypedDict(
    "FlipCrossing",
    {
        "spot": "float",
        "slope": "float",
        "from": "Literal[\"positive\", \"negative\"]",
        "to": "Literal[\"positive\", \"negative\"]",
        "chosen": "bool",
    },
)


class FlipQuantiles(TypedDict):
    p05: Union[float, None]
    """price"""
    p25: Union[float, None]
    """price"""
    p50: Union[float, None]
    """price"""
    p75: Union[float, None]
    """price"""
    p95: Union[float, None]
    """price"""
    share_without: float
    """fraction; of the draws without a flip"""


class FlowAnomalyMetrics(TypedDict):
    bias: Union[Literal["bullish", "bearish", "neutral"], None]
    call_put_volume_ratio: Union[float, None]
    """ratio; null without put volume"""
    call_put_oi_ratio: Union[float, None]
    """ratio"""
    total_volume: Union[int, None]
    """contracts"""
    total_open_interest: Union[int, None]
    """contracts"""
    dominant_premium_usd: Union[float, None]
    """usd; volume times mid times 100 of the larger side"""
    dominant_premium_pct: Union[float, None]
    """fraction; of both sides"""
    top3_strikes_volume_pct: Union[float, None]
    """fraction; of volume at the three busiest strikes"""
    underlying_price: float
    """price"""


class FlowDealerRisk(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    expiry: Union[str, None]
    """the requested expiration; null for the whole chain"""
    settled_net_gex: float
    """usd-notional; on official open interest, USD of delta gained per 1 % move of spot"""
    live_net_gex: float
    """usd-notional; on effective open interest"""
    flow_gex_adjustment: float
    """usd-notional; live - settled"""
    flow_gex_pct_shift: Union[float, None]
    """fraction; flow_gex_adjustment / settled; null where only that is 0"""
    settled_net_dex: float
    """usd-notional; on official open interest, USD delta of the option holders"""
    live_net_dex: float
    """usd-notional; on effective open interest"""
    flow_dex_adjustment: float
    """usd-notional; live - settled"""
    flow_dex_pct_shift: Union[float, None]
    """fraction; flow_dex_adjustment / settled; null where only that is 0"""
    total_abs_delta_contracts: int
    """contracts; sum of |effective - official| over the contracts"""
    flow_direction: Literal["no_flow", "neutral", "amplifying", "dampening", "regime_flip"]
    description: str
    contracts_with_flow: int
    """count; option series whose open interest the session's flow is estimated to have changed"""


class FlowDex(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    expiry: Union[str, None]
    """the requested expiration; null for the whole chain"""
    live_net_dex: float
    """usd-notional; USD delta of the option holders"""
    strikes: List[FlowDexStrikeRow]


class FlowDexStrikeRow(TypedDict):
    strike: float
    """price"""
    call_dex: float
    """usd-notional; 0 or more"""
    put_dex: float
    """usd-notional; 0 or less"""
    net_dex: float
    """usd-notional"""


class FlowGex(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    expiry: Union[str, None]
    """the requested expiration; null for the whole chain"""
    live_net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""
    live_net_gex_label: Literal["positive", "negative", "neutral"]
    live_gamma_flip: Union[float, None]
    """price; spot at which net gamma exposure crosses zero, volatilities held"""
    strikes: List[FlowGexStrikeRow]


class FlowGexStrikeRow(TypedDict):
    strike: float
    """price"""
    call_gex: float
    """usd-notional; 0 or more"""
    put_gex: float
    """usd-notional; 0 or less"""
    net_gex: float
    """usd-notional"""
    call_oi: int
    """contracts; effective"""
    put_oi: int
    """contracts; effective"""
    call_volume: int
    """contracts; of the session"""
    put_volume: int
    """contracts; of the session"""
    call_oi_change: Union[int, None]
    """contracts; change of official call open interest against the previous session; null without one to compare with"""
    put_oi_change: Union[int, None]
    """contracts; change of official put open interest against the previous session; null without one to compare with"""


class FlowHedgeFlow(TypedDict):
    symbol: str
    """underlying ticker"""
    as_of: str
    """the end of the newest half minute"""
    session: str
    """the session that is served"""
    recorded_from: Union[str, None]
    """the beginning of the first half minute that is held; null without any"""
    scope: Literal["all", "0dte", "next", "rest"]
    next_expiration: Union[str, None]
    """the expiration that counts as next; null if none is known"""
    measure: Literal["delta", "gamma", "vega"]
    unit: Literal["usd", "usd_per_percent", "usd_per_vol_point"]
    split: Literal["none", "right", "expiry", "size"]
    bar_size: Literal["30s", "1m", "5m", "15m"]
    sided_share: Union[float, None]
    """fraction; contracts with a known side of all eligible contracts of the scope since the open, 0 to 1"""
    totals: List[HedgePressureTotal]
    """one for each part of the split; empty if nothing is held"""
    bars: List[HedgePressureBar]
    """ascending"""
    usual: Union[UsualPressure, None]


class FlowLevels(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    expiry: Union[str, None]
    """the requested expiration; null for the whole chain"""
    live_gamma_flip: Union[float, None]
    """price; spot at which net gamma exposure crosses zero, volatilities held"""
    live_call_wall: Union[float, None]
    """price; strike with the largest call gamma"""
    live_put_wall: Union[float, None]
    """price; strike with the most negative put gamma"""
    live_max_pain: Union[float, None]
    """price; strike at which the fewest dollars are paid out"""


class FlowLive(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    expiry: Union[str, None]
    """the requested expiration; null for the whole chain"""
    contracts: int
    """count; option series in scope"""
    contracts_with_flow: int
    """count; option series whose open interest the session's flow is estimated to have changed"""
    official_oi: int
    """contracts; as published in the morning"""
    simulated_oi: int
    """contracts; official_oi + intraday_oi_delta; may be below 0"""
    intraday_oi_delta: int
    """contracts; contracts that the session's flow is estimated to have opened, less those closed"""
    oi_delta_confidence: float
    """fraction; the share of classified volume that is taken to change positions"""
    effective_oi: int
    """contracts; the sum of what each contract has, none of them below 0"""
    live_gex: float
    """usd-notional; on effective open interest, USD of delta gained per 1 % move of spot"""
    live_gex_delta: float
    """usd-notional; net delta exposure on effective open interest, USD delta of the option holders"""
    live_gamma_flip: Union[float, None]
    """price; spot at which net gamma exposure crosses zero, volatilities held"""
    live_call_wall: Union[float, None]
    """price; strike with the largest call gamma"""
    live_put_wall: Union[float, None]
    """price; strike with the most negative put gamma"""
    live_max_pain: Union[float, None]
    """price; strike at which the fewest dollars are paid out"""
    live_pin_risk: int
    """score-0-100"""
    flow_adjusted_dealer_risk: FlowLiveFlowAdjustedDealerRisk


class FlowLiveFlowAdjustedDealerRisk(TypedDict):
    settled_net_gex: float
    """usd-notional; on official open interest, USD of delta gained per 1 % move of spot"""
    live_net_gex: float
    """usd-notional; on effective open interest"""
    flow_gex_adjustment: float
    """usd-notional; live - settled"""
    flow_gex_pct_shift: Union[float, None]
    """fraction; flow_gex_adjustment / settled; null where only that is 0"""
    settled_net_dex: float
    """usd-notional; on official open interest, USD delta of the option holders"""
    live_net_dex: float
    """usd-notional; on effective open interest"""
    flow_dex_adjustment: float
    """usd-notional; live - settled"""
    flow_dex_pct_shift: Union[float, None]
    """fraction; flow_dex_adjustment / settled; null where only that is 0"""
    total_abs_delta_contracts: int
    """contracts; sum of |effective - official| over the contracts"""
    flow_direction: Literal["no_flow", "neutral", "amplifying", "dampening", "regime_flip"]
    description: str


class FlowOi(TypedDict):
    symbol: str
    """underlying ticker"""
    as_of: str
    """the moment the answer describes, UTC"""
    expiry: Union[str, None]
    """the requested expiration; null for the whole chain"""
    official_oi: int
    """contracts; as published in the morning"""
    simulated_oi: int
    """contracts; official_oi + intraday_oi_delta; may be below 0"""
    intraday_oi_delta: int
    """contracts; contracts that the session's flow is estimated to have opened, less those closed"""
    oi_delta_confidence: float
    """fraction; the share of classified volume that is taken to change positions"""
    effective_oi: int
    """contracts; the sum of what each contract has, none of them below 0"""
    contracts_total: int
    """count; option series in scope"""
    contracts_with_flow: int
    """count; option series whose open interest the session's flow is estimated to have changed"""


class FlowOptionsBlocks(TypedDict):
    symbol: str
    """underlying ticker"""
    expiry: Union[str, None]
    """the requested expiration; null for all of them"""
    minSize: int
    """contracts; of a print; below 25 only the newest prints are looked through"""
    count: int
    """count; rows below"""
    blocks: List[OptionBlockTrade]


class FlowOptionsCumulative(TypedDict):
    symbol: str
    """underlying ticker"""
    expiry: Union[str, None]
    """the requested expiration; null for all of them"""
    minutes: int
    """count; of the window, the current minute included"""
    count: int
    """count; minutes with a print"""
    points: List[FlowOptionsCumulativePoint]


class FlowOptionsCumulativePoint(TypedDict):
    ts: str
    """the beginning of the minute"""
    netVolume: int
    """contracts; bought less sold"""
    cumulative: int
    """contracts; the same from the first bucket of the window on"""
    vwap: Union[float, None]
    """price; mean price of a share; null where no print of it may set a price"""
    tradeCount: int
    """count"""


class FlowOptionsDealerPremium(TypedDict):
    symbol: str
    """underlying ticker"""
    as_of: str
    """the moment the answer describes, UTC"""
    window_minutes: int
    """count; minutes of the window, the current one included"""
    expiry: Union[str, None]
    """the requested expiration; null for all of them"""
    dealer_buy_premium: float
    """usd; paid for what customers sold"""
    dealer_write_premium: float
    """usd; received for what customers bought"""
    net_dealer_premium: float
    """usd; paid less received"""
    total_premium: float
    """usd; paid and received; prints without a side are in neither"""
    trade_count: int
    """count; all prints of the window"""
    bucket_count: int
    """count; minutes with a print"""


class FlowOptionsHistory(TypedDict):
    symbol: str
    """underlying ticker"""
    expiry: Union[str, None]
    """the requested expiration; null for all of them"""
    minutes: int
    """count; of the window, the current minute included"""
    count: int
    """count; minutes with a print"""
    buckets: List[OptionFlowBucket]


class FlowOptionsLeaderboard(TypedDict):
    generatedUtc: str
    """when it was computed; it is cached for half a minute"""
    n: int
    """count; symbols at most on each side"""
    windowMinutes: int
    """count; minutes before the current one"""
    buyers: List[OptionLeader]
    sellers: List[OptionLeader]


class FlowOptionsOutliers(TypedDict):
    generatedUtc: str
    """when it was computed; it is cached for half a minute"""
    windowMinutes: int
    """count; minutes before the current one"""
    tracked: int
    """count; symbols with a print in the window"""
    qualified: int
    """count; those of them with enough prints, and with volume that has a side"""
    limit: int
    """count; symbols at most"""
    outliers: List[FlowOutlier]


class FlowOptionsRecent(TypedDict):
    symbol: str
    """underlying ticker"""
    expiry: Union[str, None]
    """the requested expiration; null for all of them"""
    count: int
    """count; rows below"""
    totalAvailable: int
    """count; of the newest prints of the session that are kept, how many are in scope"""
    trades: List[OptionTrade]


class FlowOptionsSummary(TypedDict):
    symbol: str
    """underlying ticker"""
    expiry: Union[str, None]
    """the requested expiration; null for all of them"""
    contractsWithTrades: int
    """count; option series with a print"""
    totalTrades: Union[int, None]
    """count; null where only the volume of the day is known, at its close"""
    buyVolume: int
    """contracts; bought by customers"""
    sellVolume: int
    """contracts; sold by customers"""
    midVolume: int
    """contracts; of prints without a side"""
    netVolume: int
    """contracts; bought less sold"""
    biggestSingleTrade: Union[int, None]
    """contracts; null where only the volume of the day is known"""
    lastTradeUtc: Union[str, None]
    """by the clock of the exchange, UTC; null without a print"""


class FlowOutlier(TypedDict):
    symbol: str
    tradeCount: int
    """count"""
    buyVolume: int
    """count; bought by customers"""
    sellVolume: int
    """count; sold by customers"""
    midVolume: int
    """count; of prints without a side"""
    netVolume: int
    """count; bought less sold"""
    imbalancePct: float
    """percent; net volume over the volume that has a side, without its sign"""
    skew: Literal["STRONG_SELL", "SELL", "MILD_SELL", "FLAT", "MILD_BUY", "BUY", "STRONG_BUY"]
    notional: float
    """usd-notional; of all prints that may set a price"""
    netNotional: float
    """usd-notional; net volume at the vwap of the window"""
    biggestTrade: int
    """count"""
    biggestTradeUtc: Union[str, None]
    """when the newest of the biggest prints happened"""
    biggestAgeSec: int
    """count; whole seconds before generatedUtc; -1 when there is none"""
    lastVwap: Union[float, None]
    """price; of the newest minute; null where no print of it may set a price"""
    lastTradeUtc: Union[str, None]
    """by the clock of the exchange, UTC"""
    lastTradeAgeSec: int
    """count; whole seconds before generatedUtc; -1 when there is none"""


class FlowPinRisk(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    expiry: Union[str, None]
    """the requested expiration; null for the whole chain"""
    live_pin_risk: int
    """score-0-100"""
    magnet_strike: Union[float, None]
    """price; strike with the largest net gamma by size"""
    distance_to_magnet_pct: Union[float, None]
    """percent; of spot, unsigned"""
    time_to_close_hours: float
    """hours; hours of session until the expiration, or the nearest one, closes"""
    breakdown: PinRiskParts


class FlowSignal(TypedDict):
    ts: str
    """the first print of the group"""
    expiry: str
    strike: float
    """price"""
    right: Literal["C", "P"]
    side: Literal["mid", "buy", "sell"]
    price: float
    """price; weighted by size"""
    size: int
    """contracts"""
    premium: float
    """usd; price times size times 100"""
    dte: int
    """days; calendar days to the expiration"""
    structure: Literal["block", "sweep"]
    aggressor: Literal["mid", "above_ask", "at_ask", "at_bid", "below_bid"]
    open_close_bias: Literal["unknown", "opening_bias", "closing_bias"]
    open_close_confidence: float
    """fraction; the share of classified volume that is taken to change positions"""
    contract_net_oi_delta: int
    """contracts; estimated change of the series' open interest by the session's flow"""
    intent: Literal["neutral", "bullish", "bearish"]
    score: int
    """score-0-100; the sum of its parts"""
    conviction: Literal["minimal", "low", "medium", "high"]
    tags: List[Literal["sweep", "block", "opening", "closing", "0dte", "whale", "golden"]]
    score_breakdown: FlowSignalScores
    enrichment: FlowSignalGreeks


class FlowSignalGreeks(TypedDict):
    iv: Union[float, None]
    """fraction"""
    delta: Union[float, None]
    """greek"""
    gamma: Union[float, None]
    """greek"""
    iv_vs_atm: Union[float, None]
    """fraction; iv less that at the strike nearest to spot of the same expiration"""
    moneyness: Literal["OTM", "ATM", "ITM", "unknown"]
    estimated_delta_notional: Union[float, None]
    """usd-notional; delta times size, USD; by the sign of delta, not of the trade"""
    hypothetical_gex_impact_if_opening: Union[float, None]
    """usd-notional; gamma of the contracts as if all were opened, USD per 1 % move; never added to any exposure"""


class FlowSignalScores(TypedDict):
    premium: int
    """count"""
    size_vs_oi: int
    """count"""
    aggressor: int
    """count"""
    sweep: int
    """count"""
    opening_bias: int
    """count"""
    tenor: int
    """count"""


class FlowSignals(TypedDict):
    symbol: str
    """underlying ticker"""
    as_of: str
    """the moment the answer describes, UTC"""
    window_minutes: int
    """count"""
    expiry: Union[str, None]
    """the requested expiration; null for all of them"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    chain: SettledLevels
    count: int
    """count"""
    signals: List[FlowSignal]


class FlowSignalsSummary(TypedDict):
    symbol: str
    """underlying ticker"""
    as_of: str
    """the moment the answer describes, UTC"""
    window_minutes: int
    """count"""
    expiry: Union[str, None]
    """the requested expiration; null for all of them"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    signal_count: int
    """count; signals in the window, whatever their score"""
    bullish_premium: float
    """usd; of bought calls and sold puts that do not close"""
    bearish_premium: float
    """usd; of bought puts and sold calls that do not close"""
    net_directional_premium: float
    """usd; bullish less bearish"""
    opening_premium: float
    """usd; of series whose volume leans to opening"""
    closing_premium: float
    """usd; of series whose volume leans to closing"""
    top_signals: List[FlowSignal]


class FlowStocksBars(TypedDict):
    symbol: str
    """ticker"""
    resolution: Literal["1s", "1m", "5m", "15m", "30m", "1h", "4h"]
    minutes: int
    """count; of the window"""
    count: int
    """count; bars with a print"""
    dataStartUtc: Union[str, None]
    """the beginning of the oldest second that is kept; null without one"""
    bars: List[StockBar]


class FlowStocksBlocks(TypedDict):
    symbol: str
    """ticker"""
    minSize: int
    """shares; of a print; below 1000 only the newest prints are looked through"""
    count: int
    """count; rows below"""
    blocks: List[StockBlockTrade]


class FlowStocksCumulative(TypedDict):
    symbol: str
    """ticker"""
    minutes: int
    """count; of the window, the current minute included"""
    count: int
    """count; minutes with a print"""
    points: List[FlowStocksCumulativePoint]


class FlowStocksCumulativePoint(TypedDict):
    ts: str
    """the beginning of the minute"""
    netVolume: int
    """shares; bought less sold"""
    cumulative: int
    """shares; the same from the first bucket of the window on"""
    vwap: Union[float, None]
    """price; mean price of a share; null where no print of it may set a price"""
    tradeCount: int
    """count"""


class FlowStocksHistory(TypedDict):
    symbol: str
    """ticker"""
    minutes: int
    """count; of the window, the current minute included"""
    count: int
    """count; minutes with a print"""
    buckets: List[StockFlowBucket]


class FlowStocksLeaderboard(TypedDict):
    generatedUtc: str
    """when it was computed; it is cached for half a minute"""
    n: int
    """count; symbols at most on each side"""
    windowMinutes: int
    """count; minutes before the current one"""
    buyers: List[StockLeader]
    sellers: List[StockLeader]


class FlowStocksOutliers(TypedDict):
    generatedUtc: str
    """when it was computed; it is cached for half a minute"""
    windowMinutes: int
    """count; minutes before the current one"""
    tracked: int
    """count; symbols with a print in the window"""
    qualified: int
    """count; those of them with enough prints, and with volume that has a side"""
    limit: int
    """count; symbols at most"""
    outliers: List[FlowOutlier]


class FlowStocksRecent(TypedDict):
    symbol: str
    """ticker"""
    count: int
    """count; rows below"""
    totalAvailable: int
    """count; the newest prints of the session that are kept"""
    trades: List[StockTrade]


class FlowStocksSummary(TypedDict):
    symbol: str
    """ticker"""
    totalTrades: int
    """count"""
    buyVolume: int
    """shares; bought by customers"""
    sellVolume: int
    """shares; sold by customers"""
    midVolume: int
    """shares; of prints without a side"""
    netVolume: int
    """shares; bought less sold"""
    biggestSingleTrade: int
    """shares"""
    lastTradeUtc: Union[str, None]
    """by the clock of the exchange, UTC; null without a print"""


class FlowSummary(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    expiry: Union[str, None]
    """the requested expiration; null for the whole chain"""
    flow_direction: Literal["no_flow", "neutral", "amplifying", "dampening", "regime_flip"]
    intraday_oi_delta: int
    """contracts; contracts that the session's flow is estimated to have opened, less those closed"""
    contracts_with_flow: int
    """count; option series whose open interest the session's flow is estimated to have changed"""
    contracts_total: int
    """count; option series in scope"""
    live_gex: float
    """usd-notional; on effective open interest, USD of delta gained per 1 % move of spot"""
    flow_gex_pct_shift: Union[float, None]
    """fraction; flow_gex_adjustment / settled; null where only that is 0"""


class FlowZeroDteHeatmap(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: Union[float, None]
    """price; spot of the last bar; null without bars"""
    expiration: str
    """the date of the session that is served"""
    bar_size: Literal["1m"]
    as_of: str
    """the end of the newest minute"""
    tier_used: Literal["raw"]
    strikes_grid: List[float]
    """every strike that expires on the day within 5 % of the spot of any bar, ascending"""
    gap_intervals: List[BarGap]
    """spans of the window in which bars are missing"""
    metric: Literal["gex", "dex", "vex", "chex", "oi", "signed_flow"]
    mode: Literal["raw", "delta"]
    bars: List[HeatmapBar]
    """ascending; values are parallel to strikes_grid"""


class FlowZeroDteHedgeFlow(TypedDict):
    symbol: str
    """underlying ticker"""
    expiration: str
    """the date of the session that is served"""
    as_of: str
    """the end of the newest raw bar"""
    side: Literal["all", "calls", "puts"]
    bar_size: Literal["30s", "1m", "5m", "15m"]
    bars: List[HedgeFlowBar]
    """ascending"""


class FlowZeroDteLeaderboard(TypedDict):
    metric: Literal["heat", "pin_risk", "abs_flow", "charm_intensity"]
    n: int
    """count; symbols at most"""
    as_of: str
    """the end of the newest raw bar of any symbol"""
    market_open: bool
    entries: List[ZeroDteLeader]


class FlowZeroDteSeries(TypedDict):
    symbol: str
    """underlying ticker"""
    expiration: str
    """the date of the session that is served"""
    as_of: str
    """the end of the newest raw bar"""
    bar_size: Literal["30s", "1m", "5m", "15m"]
    bars: List[ZeroDteSeriesBar]
    """ascending; each shows the last raw bar of 30 s in it"""


class FlowZeroDteStrikeFlow(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: Union[float, None]
    """price; spot of the last bar; null without bars"""
    expiration: str
    """the date of the session that is served"""
    bar_size: Literal["1m"]
    as_of: str
    """the end of the newest minute"""
    tier_used: Literal["raw"]
    strikes_grid: List[float]
    """every strike that expires on the day within 5 % of the spot of any bar, ascending"""
    gap_intervals: List[BarGap]
    """spans of the window in which bars are missing"""
    bars: List[StrikeFlowBar]
    """ascending; their arrays are parallel to strikes_grid"""


class ForwardPrice(TypedDict):
    expiry: str
    days_to_expiry: int
    """days"""
    root: str
    """option root"""
    settlement: Literal["am", "pm"]
    forward: float
    """price; from put-call parity, else spot carried at the configured rate and yield"""
    spot: float
    """price"""
    basis_pct: float
    """percent; 100 (forward - spot) / spot"""


class GammaChangeWindow(TypedDict):
    minutes: int
    """count; how far back the window reaches"""
    since: Union[str, None]
    """the recorded moment that is compared; null if none was recorded near by"""
    underlying_price_since: Union[float, None]
    """price"""
    net: Union[NetGammaChange, None]
    strikes: Union[List[StrikeGammaChange], None]
    """by the size of change"""


class GammaFlipBand(TypedDict):
    value: Union[float, None]
    """price; that of the plain endpoint"""
    positions: FlipQuantiles
    combined: FlipQuantiles


class GarchForecast(TypedDict):
    model: Literal["garch_1_1"]
    distribution: Literal["student_t", "gaussian"]
    params: GarchParameters
    persistence: Union[float, None]
    """ratio; alpha + beta"""
    long_run_vol_annualized: Union[float, None]
    """percent; null for an integrated model"""
    half_life_days: Union[float, None]
    """days; null for an integrated model"""
    converged: bool
    note: Union[str, None]
    """why the distribution is not the requested one"""
    forecast: Union[List[HorizonVolatility], None]


class GarchParameters(TypedDict):
    omega: Union[float, None]
    """variance; of daily decimal returns"""
    alpha: Union[float, None]
    """ratio; weight of the last squared return"""
    beta: Union[float, None]
    """ratio; weight of the last variance"""
    dof: NotRequired[Union[float, None]]
    """degrees-of-freedom; present for student_t"""


class GexConditioned(TypedDict):
    regime: Literal["positive_gamma", "negative_gamma", "unknown"]
    harvest_score: Union[float, None]
    """fraction; 0 to 1"""
    interpretation: str


class GexPeak(TypedDict):
    strike: float
    """price"""
    net_gex: float
    """usd-notional"""
    strength: float
    """fraction; |net_gex| over the largest"""
    side: Literal["call_wall", "put_wall"]


class GexStrikeRow(TypedDict):
    strike: float
    """price"""
    call_gex: float
    """usd-notional; 0 or more by the convention"""
    put_gex: float
    """usd-notional; 0 or less by the convention"""
    net_gex: float
    """usd-notional"""
    call_oi: int
    """contracts"""
    put_oi: int
    """contracts"""
    call_volume: int
    """contracts"""
    put_volume: int
    """contracts"""
    call_oi_change: Union[int, None]
    """contracts; change of call open interest against the previous trading day; null without a snapshot of it"""
    put_oi_change: Union[int, None]
    """contracts; change of put open interest against the previous trading day; null without a snapshot of it"""


class GreekSurfaces(TypedDict):
    vanna: GreekSurfacesVanna
    charm: GreekSurfacesCharm
    volga: GreekSurfacesVolga
    speed: GreekSurfacesSpeed


class GreekSurfacesCharm(TypedDict):
    strikes: List[float]
    expiries: List[str]
    values: List[List[float]]


class GreekSurfacesSpeed(TypedDict):
    strikes: List[float]
    expiries: List[str]
    values: List[List[float]]


class GreekSurfacesVanna(TypedDict):
    strikes: List[float]
    expiries: List[str]
    values: List[List[float]]


class GreekSurfacesVolga(TypedDict):
    strikes: List[float]
    expiries: List[str]
    values: List[List[float]]


class GreeksLeg(TypedDict):
    action: NotRequired[str]
    """buy, sell, long or short in any case"""
    type: NotRequired[str]
    """call, put, c or p in any case"""
    strike: float
    """price"""
    expiry: str
    impliedVol: float
    """fraction"""
    quantity: NotRequired[int]
    """contracts"""


class HarRvComponents(TypedDict):
    daily: float
    """percent"""
    weekly: float
    """percent"""
    monthly: float
    """percent"""


class HarRvForecast(TypedDict):
    vol_annualized: float
    """percent; of the mean variance of the next 21 days"""
    components: HarRvComponents
    next_day_forecast: float
    """percent"""


class Health(TypedDict):
    status: Literal["Healthy", "Degraded", "Unhealthy"]
    duration: float
    """milliseconds"""
    checks: List[HealthCheck]


class HealthCheck(TypedDict):
    name: str
    status: Literal["Healthy", "Degraded", "Unhealthy"]
    duration: float
    """milliseconds"""
    details: NotRequired[Dict[str, Any]]
    """further details for the operator"""


class HeatmapBar(TypedDict):
    t: str
    """the beginning of the minute"""
    spot: Union[float, None]
    """price"""
    values: List[Union[float, None]]


class HedgeFlowBar(TypedDict):
    t: str
    """the beginning of the bar"""
    bar: float
    """usd; since the previous bar; positive where dealers buy the underlying"""
    cumulative: float
    """usd; running since the open, at the end of the last raw bar of 30 s in it"""


class HedgePressureBar(TypedDict):
    t: str
    """the beginning of the bar"""
    bar: float
    """usd; since the previous bar"""
    cumulative: float
    """usd; since the open, at the end of the last half minute in the bar"""
    parts: Union[HedgePressureParts, None]


HedgePressureParts = TypedDict(
    "HedgePressureParts",
    {
        "calls": "NotRequired[float]",
        "puts": "NotRequired[float]",
        "0dte": "NotRequired[float]",
        "next": "NotRequired[float]",
        "rest": "NotRequired[float]",
        "small": "NotRequired[float]",
        "medium": "NotRequired[float]",
        "large": "NotRequired[float]",
    },
)


class HedgePressureTotal(TypedDict):
    key: Literal["all", "calls", "puts", "0dte", "next", "rest", "small", "medium", "large"]
    value: float
    """usd; since the open"""


class HedgingEstimate(TypedDict):
    dealer_shares_to_trade: int
    """shares; signed: dealers buy when positive"""
    direction: Literal["BUY", "SELL"]
    notional_usd: float
    """usd; |shares| times spot"""


class HedgingEstimates(TypedDict):
    spot_down_1pct: HedgingEstimate
    spot_up_1pct: HedgingEstimate


class HedgingScenario(TypedDict):
    move_pct: int
    """percent; move of spot"""
    dealer_shares: int
    """shares; signed: dealers buy when positive"""
    direction: Literal["buy", "sell"]
    notional_usd: float
    """usd; |shares| times spot"""


class HeldSymbol(TypedDict):
    symbol: str
    as_of: str
    """when its chain was observed"""
    is_stale: bool
    """its source has failed since"""


class HigherStrikeRow(TypedDict):
    strike: float
    """price"""
    call_speed: float
    """usd-notional"""
    put_speed: float
    """usd-notional"""
    net_speed: float
    """usd-notional"""
    call_zomma: float
    """usd-notional"""
    put_zomma: float
    """usd-notional"""
    net_zomma: float
    """usd-notional"""
    call_vomma: float
    """usd-notional"""
    put_vomma: float
    """usd-notional"""
    net_vomma: float
    """usd-notional"""


class HorizonLevels(TypedDict):
    gamma_flip: Union[float, None]
    """price"""
    call_wall: Union[float, None]
    """price"""
    put_wall: Union[float, None]
    """price"""
    call_wall_above: Union[float, None]
    """price; call wall among the strikes at or above spot"""
    put_wall_below: Union[float, None]
    """price; put wall among the strikes at or below spot"""
    net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""


class HorizonVolatility(TypedDict):
    horizon_days: int
    """days"""
    vol_annualized: float
    """percent"""


IncompleteStretch = TypedDict(
    "IncompleteStretch",
    {
        "from": "str",
        "to": "str",
    },
)


class IssuedKey(TypedDict):
    key: str
    """the key itself: it is not kept and cannot be shown again"""
    id: str
    hint: str
    """the last four characters"""
    user_id: str
    email: str
    plan: str
    """id of the plan of its user"""
    name: str
    role: Literal["user", "operator"]
    created_at: str
    ends_at: Union[str, None]
    """the first moment at which it does not work any more; null: it does not end"""
    revoked_at: Union[str, None]


class IvCrushDistribution(TypedDict):
    median: Union[float, None]
    """percent; of the volatility before, over the newest 20 reports at most"""
    p25: Union[float, None]
    """percent; a quarter fell less"""
    p75: Union[float, None]
    """percent; a quarter fell more"""
    worst: Union[float, None]
    """percent; the smallest fall"""
    best: Union[float, None]
    """percent; the largest"""
    count: int
    """count; reports"""


class IvCrushEstimate(TypedDict):
    expected_crush_pct: float
    """percent; to the volatility of the expiration behind; negative: no fall is priced"""
    pre_iv: float
    """percent; of the first expiration behind the report"""
    post_iv: float
    """percent; of the expiration behind that"""
    ex_event_iv: float
    """percent; everyday volatility, without the report"""
    model_crush_pct: float
    """percent; to everyday volatility: one expiration before and after"""


class KellyAnalysis(TypedDict):
    expected_roi: float
    """fraction; expected payoff / premium - 1, at expiry and undiscounted"""
    expected_roi_pct: float
    """percent"""
    expected_payoff: float
    """usd; per share"""
    probability_of_profit: float
    """fraction"""
    probability_of_profit_pct: float
    """percent"""
    probability_itm: float
    """fraction"""
    probability_itm_pct: float
    """percent"""
    max_loss: float
    """usd; the premium"""
    breakeven: float
    """price; the underlying at expiry where payoff and premium are equal"""
    expected_growth_rate: float
    """log-growth; of wealth over the life of the option, at kelly_fraction"""


class KellySizing(TypedDict):
    kelly_fraction: float
    """fraction"""
    half_kelly: float
    """fraction"""
    quarter_kelly: float
    """fraction"""
    kelly_pct: float
    """percent"""
    half_kelly_pct: float
    """percent"""


class Key(TypedDict):
    id: str
    hint: str
    """the last four characters"""
    user_id: str
    email: str
    plan: str
    """id of the plan of its user"""
    name: str
    role: Literal["user", "operator"]
    created_at: str
    ends_at: Union[str, None]
    """the first moment at which it does not work any more; null: it does not end"""
    revoked_at: Union[str, None]


class KeyLevels(TypedDict):
    gamma_flip: Union[float, None]
    """price; above it dealers dampen moves, below it they amplify them"""
    max_positive_gamma: Union[float, None]
    """price; strike with the highest positive net gamma"""
    max_negative_gamma: Union[float, None]
    """price; strike with the most negative net gamma"""
    call_wall: Union[float, None]
    """price; strike with the highest call gamma: resistance"""
    put_wall: Union[float, None]
    """price; strike with the most negative put gamma: support"""
    highest_oi_strike: Union[float, None]
    """price; strike with the most open interest"""
    zero_dte_magnet: Union[float, None]
    """price; strike with the largest net gamma of what expires today"""
    call_wall_above: Union[float, None]
    """price; strike at or above spot with the highest call gamma"""
    put_wall_below: Union[float, None]
    """price; strike at or below spot with the most negative put gamma"""


class KeyRotation(TypedDict):
    now: NotRequired[bool]
    """end the old key at once, and not a day later"""
    until: NotRequired[str]
    """last day of the new key, yyyy-MM-dd, UTC; absent: that of the old one"""


class LargestInventoryStrike(TypedDict):
    strike: float
    """price; where the gamma profile bends most"""
    magnitude: float
    """ratio"""


class LeftOutContracts(TypedDict):
    reason: Literal["no_open_interest", "no_volatility", "not_live"]
    contracts: int
    """count"""
    open_interest: int
    """contracts"""


class LevelCandidate(TypedDict):
    strike: float
    """price"""
    value: float
    """usd-notional; call gex, put gex, net gex or total pain at the strike"""


class LevelCandidates(TypedDict):
    rows: List[LevelCandidate]
    margin: Union[float, None]
    """ratio; leader over runner-up, for max_pain the inverse"""
    moved_overnight: Union[float, None]
    """fraction; how often a call wall with this margin stood elsewhere at the next settlement"""


class LevelsByHorizon(TypedDict):
    zero_dte: Union[HorizonLevels, None]
    week: Union[HorizonLevels, None]
    month: Union[HorizonLevels, None]
    all: Union[HorizonLevels, None]


class Liquidity(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    chain_execution_score: int
    """score-0-100; mean of the expirations by open interest"""
    best_expiry: Union[str, None]
    worst_expiry: Union[str, None]
    thin_expiry_count: int
    """count; expirations labelled illiquid"""
    expiries: List[ExpirationLiquidity]


class ListAlertEventsAnswer(TypedDict):
    events: List[AlertEvent]
    limit: int
    """count"""
    offset: int
    """count"""


class ListAlertsAnswer(TypedDict):
    alerts: List[Alert]
    total: int
    """count"""


class ListAuditAnswer(TypedDict):
    entries: List[AuditEntry]
    more: bool
    """whether there are older entries"""
    limit: int
    """count"""
    offset: int
    """count"""


class ListBrowsersAnswer(TypedDict):
    public_key: str
    """point of P-256, uncompressed, base64url"""
    browsers: List[ToldBrowser]
    total: int
    """count"""


class ListBundlesAnswer(TypedDict):
    bundles: List[Bundle]
    total: int
    """count; all bundles"""
    limit: int
    """count"""
    offset: int
    """count"""


class ListDocumentsAnswer(TypedDict):
    documents: List[UserDocument]
    total: int
    """count"""


class ListDoubtsAnswer(TypedDict):
    doubts: List[SourceDoubt]


class ListKeysAnswer(TypedDict):
    keys: List[Key]


class ListPlansAnswer(TypedDict):
    plans: List[Plan]


class ListUsersAnswer(TypedDict):
    users: List[User]
    total: int
    """count; all users"""
    limit: int
    """count"""
    offset: int
    """count"""


class MacroLevel(TypedDict):
    value: float
    """index-points"""
    change: Union[float, None]
    """index-points; against the previous close"""
    change_pct: Union[float, None]
    """percent"""


class MacroVixState(TypedDict):
    as_of: str
    """the newer of the quote of the VIX and the last close of SPX, UTC"""
    vix: float
    """index-points"""
    spx_rv_20d: float
    """percent; close to close"""
    spread: float
    """percent; vix minus spx_rv_20d, vol points"""
    ratio: Union[float, None]
    """ratio; vix over spx_rv_20d"""
    state: Literal["overvixing", "undervixing", "neutral"]
    interpretation: str


class MadeAlert(TypedDict):
    id: str
    symbol: str
    metric: str
    """the canonical id"""
    params: Dict[str, Any]
    condition: Literal["above", "below", "crosses", "changes_by"]
    value: Union[float, ComparedMetric]
    """as of the metric; the number"""
    repeat: Literal["once", "each_time"]
    note: Union[str, None]
    webhook: Union[Webhook, None]
    state: Literal["armed", "paused", "done"]
    paused_because: Union[str, None]
    """null where its owner paused it, or nobody did"""
    created_at: str
    last_value: Union[float, None]
    """as of the metric; null: none is known yet"""
    last_value_at: Union[str, None]
    """the moment it describes"""
    last_fired_at: Union[str, None]
    fired_count: int
    """count"""
    webhook_secret: Union[str, None]
    """what messages are signed with; shown where the webhook is new, and never again"""


class MarketSession(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: Union[float, None]
    """price; null where the symbol is not quoted"""
    as_of: str
    """the minute of the market that the status is of, UTC"""
    date: str
    """of the session of as_of, or of the last session before it"""
    status: Literal["pre", "open", "closed", "holiday"]
    open: str
    close: str
    is_half_day: bool
    next_open: str
    """of the session after this one"""
    last_close: str
    """of the newest session that is over, UTC: figures are of then until the next open"""
    previous_date: str
    """of the session before this one"""
    previous_close: Union[float, None]
    """price; of the previous session; null if nothing is stored of it"""


class MaxPainAlignment(TypedDict):
    alignment: Literal["converging", "moderate", "diverging", "unknown"]
    description: str
    gamma_flip: Union[float, None]
    """price"""
    call_wall: Union[float, None]
    """price"""
    put_wall: Union[float, None]
    """price"""


class MaxPainDistance(TypedDict):
    absolute: float
    """usd; |spot - max pain|"""
    percent: float
    """percent; of spot"""
    direction: Literal["above", "below", "at"]


class MaxPainExpectedMove(TypedDict):
    straddle_price: Union[float, None]
    """usd"""
    atm_iv: Union[float, None]
    """percent"""
    max_pain_within_expected_range: Union[bool, None]


class Maxpain(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    max_pain_strike: float
    """price; strike at which option holders are paid least"""
    distance: MaxPainDistance
    signal: Literal["bullish", "bearish", "neutral"]
    expiration: str
    """the filter, else the nearest live expiration"""
    put_call_oi_ratio: Union[float, None]
    """ratio"""
    pain_curve: List[PainPoint]
    oi_by_strike: List[OpenInterestStrike]
    max_pain_by_expiration: Union[List[ExpirationMaxPain], None]
    dealer_alignment: MaxPainAlignment
    regime: Literal["positive_gamma", "negative_gamma"]
    expected_move: MaxPainExpectedMove
    pin_probability: int
    """score-0-100"""
    scope: ExpirationScope


class ModelFreeVolatility(TypedDict):
    by_expiration: List[ExpirationModelFree]
    days_30: Union[float, None]
    """percent; the same over the next 30 days"""


class MoneynessPutCall(TypedDict):
    otm_call_oi: int
    """contracts"""
    atm_call_oi: int
    """contracts; within 5 % of spot"""
    itm_call_oi: int
    """contracts"""
    otm_put_oi: int
    """contracts"""
    atm_put_oi: int
    """contracts"""
    itm_put_oi: int
    """contracts"""


class Narrative(TypedDict):
    regime: str
    gex_change: str
    key_levels: str
    flow: str
    vanna: str
    charm: str
    zero_dte: str
    outlook: str
    data: NarrativeFigures


class NarrativeFigures(TypedDict):
    net_gex: float
    """usd-notional"""
    net_gex_prior: Union[float, None]
    """usd-notional; at the close of the previous trading day"""
    net_gex_change_pct: Union[float, None]
    """percent"""
    net_vex_per_point: float
    """usd-notional; USD of delta gained per volatility point"""
    net_chex: float
    """usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry"""
    vix: Union[float, None]
    """index-points"""
    gamma_flip: Union[float, None]
    """price"""
    call_wall: Union[float, None]
    """price"""
    put_wall: Union[float, None]
    """price"""
    call_wall_above: Union[float, None]
    """price; call wall among the strikes at or above spot"""
    put_wall_below: Union[float, None]
    """price; put wall among the strikes at or below spot"""
    regime: Literal["positive_gamma", "negative_gamma", "undetermined"]
    zero_dte_pct: Union[float, None]
    """percent; 100 |same-day net| / |full-chain net|; may exceed 100"""
    zero_dte_gross_pct: Union[float, None]
    """percent; share of the gross gamma of all contracts, 0 to 100"""
    top_oi_changes: List[NarrativeOiChange]


class NarrativeOiChange(TypedDict):
    expiration: str
    strike: float
    """price"""
    type: Literal["C", "P"]
    oi_change: int
    """contracts; signed"""
    volume: int
    """contracts"""


class NetExposures(TypedDict):
    net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""
    net_dex: float
    """usd-notional; USD delta of the option holders"""
    net_vex: float
    """usd-notional; USD of delta gained per +1.00 of volatility"""
    net_chex: float
    """usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry"""
    net_vex_per_point: float
    """usd-notional; USD of delta gained per volatility point: net_vex / 100"""


NetGammaChange = TypedDict(
    "NetGammaChange",
    {
        "from": "float",
        "to": "float",
        "change": "float",
        "spot": "float",
        "rest": "float",
    },
)


class NewAlert(TypedDict):
    symbol: str
    """a ticker; _MARKET for a metric of the whole market"""
    metric: str
    """a metric of /v1/stream/catalog that is a number"""
    params: NotRequired[Dict[str, Union[str, float, bool]]]
    """query parameters of the endpoint behind the metric"""
    condition: Literal["above", "below", "crosses", "changes_by"]
    value: Union[float, OtherMetric]
    """what the metric is compared with: a number, or another metric of the same symbol"""
    repeat: NotRequired[Literal["once", "each_time"]]
    note: NotRequired[str]
    webhook: NotRequired[NewWebhook]


class NewBrowser(TypedDict):
    endpoint: str
    """https:// address at the push service of the browser"""
    keys: BrowserKeys
    expirationTime: NotRequired[Union[float, None]]
    """not used: the push service says when it ends"""


class NewBundle(TypedDict):
    blocks: int
    """each allows 500 subscriptions"""
    until: NotRequired[str]
    """last day, yyyy-MM-dd, UTC; absent: no end"""


class NewEmbedToken(TypedDict):
    panel: str
    """the panel that is embedded"""
    symbol: str
    """what it shows"""
    seconds: NotRequired[int]
    """how long it lasts; 3600 unless given"""
    age: NotRequired[int]
    """seconds that its figures may be old before newer ones are made; at least those of the plan"""


class NewKey(TypedDict):
    name: NotRequired[str]
    """what the key is for"""
    until: NotRequired[str]
    """last day, yyyy-MM-dd, UTC; absent: no end"""


class NewUser(TypedDict):
    email: str
    plan: str
    """id of a plan"""
    subscribed_on: NotRequired[str]
    """yyyy-MM-dd; default: today, UTC"""


class NewWebhook(TypedDict):
    url: str
    """https://"""


class NoFields(TypedDict):
    pass


class NoZeroDte(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    dealer_model: NotRequired[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]]
    market_open: bool
    expiration: Union[str, None]
    no_zero_dte: Literal[True]
    message: str
    next_zero_dte_expiry: Union[str, None]
    """next listed expiration"""


class OpenInterestChange(TypedDict):
    strike: float
    """price"""
    type: Literal["C", "P"]
    expiry: str
    today_oi: int
    """contracts"""
    prior_oi: int
    """contracts"""
    oi_change: int
    """contracts; today_oi - prior_oi"""


class OpenInterestConcentration(TypedDict):
    top_3_pct: Union[float, None]
    """percent; share of the three largest strikes"""
    top_5_pct: Union[float, None]
    """percent"""
    top_10_pct: Union[float, None]
    """percent"""
    herfindahl: Union[float, None]
    """fraction; sum of the squared shares of all strikes"""


class OpenInterestStrike(TypedDict):
    strike: float
    """price"""
    call_oi: int
    """contracts"""
    put_oi: int
    """contracts"""
    total_oi: int
    """contracts"""
    call_volume: int
    """contracts"""
    put_volume: int
    """contracts"""


class OptionBlockTrade(TypedDict):
    ts: str
    """by the clock of the exchange, UTC"""
    expiry: str
    strike: float
    """price"""
    right: Literal["C", "P"]
    price: float
    """price"""
    size: int
    """contracts"""
    side: Literal["mid", "buy", "sell"]


class OptionFlowBucket(TypedDict):
    ts: str
    """the beginning of the minute"""
    buyVolume: int
    """contracts; bought by customers"""
    sellVolume: int
    """contracts; sold by customers"""
    midVolume: int
    """contracts; of prints without a side"""
    netVolume: int
    """contracts; bought less sold"""
    tradeCount: int
    """count"""
    biggestTrade: int
    """contracts"""
    vwap: Union[float, None]
    """price; mean price of a contract, all series in scope together; null where no print of it may set a price"""
    high: Union[float, None]
    """price; highest price; null where no print of it may set a price"""
    low: Union[float, None]
    """price; lowest price; null where no print of it may set a price"""


class OptionLeader(TypedDict):
    symbol: str
    buyVolume: int
    """contracts; bought by customers"""
    sellVolume: int
    """contracts; sold by customers"""
    netVolume: int
    """contracts; bought less sold"""
    netNotional: float
    """usd-notional; net volume at the average premium, times 100"""
    tradeCount: int
    """count"""
    lastTradeUtc: str
    """by the clock of the exchange, UTC"""
    avgPremium: float
    """price; over all prints of the window"""


class OptionTrade(TypedDict):
    ts: str
    """by the clock of the exchange, UTC"""
    instrumentId: int
    """count; 52 bits of the OCC name of the series: the same on every host and every day"""
    expiry: str
    strike: float
    """price"""
    right: Literal["C", "P"]
    price: float
    """price"""
    size: int
    """contracts"""
    side: Literal["mid", "buy", "sell"]
    isBlock: bool
    """100 contracts or more"""
    bid: Union[float, None]
    """price; best bid that the side was judged by; null where there was none"""
    ask: Union[float, None]
    """price; best ask that the side was judged by; null where there was none"""


class Options(TypedDict):
    symbol: str
    expirations: List[ExpirationStrikes]
    expiration_count: int
    """count"""
    total_contracts: int
    """count; strikes over all expirations: a call and a put at one strike count once"""


class OtherMetric(TypedDict):
    metric: str
    """a metric of /v1/stream/catalog that is a number"""
    params: NotRequired[Dict[str, Union[str, float, bool]]]
    """query parameters of the endpoint behind the metric"""


class PainPoint(TypedDict):
    strike: float
    """price"""
    call_pain: float
    """usd"""
    put_pain: float
    """usd"""
    total_pain: float
    """usd"""


class PinRiskParts(TypedDict):
    oi_score: int
    """score-0-100"""
    proximity_score: int
    """score-0-100"""
    time_score: int
    """score-0-100"""
    gamma_score: int
    """score-0-100"""


class PinRiskScores(TypedDict):
    oi_score: int
    """score-0-100"""
    proximity_score: int
    """score-0-100"""
    time_score: int
    """score-0-100"""
    gamma_score: int
    """score-0-100"""


class Plan(TypedDict):
    id: str
    name: str
    rank: int
    daily_limit: Union[int, None]
    """count; null: unlimited"""
    freshness: float
    """milliseconds; how old the data of an answer may be"""
    entitlements: List[Literal["etf", "index", "full_chain", "same_day", "svi", "full_screen", "replay", "admin"]]


class PnlLeg(TypedDict):
    action: NotRequired[str]
    """buy, sell, long or short in any case"""
    type: NotRequired[str]
    """call, put, c or p in any case"""
    strike: float
    """price"""
    premium: float
    """usd per share"""
    expiry: NotRequired[str]
    impliedVol: NotRequired[float]
    """fraction"""
    quantity: NotRequired[int]
    """contracts"""


class PnlPoint(TypedDict):
    underlying: float
    """price"""
    pnl: float
    """usd per share; at expiry"""


class PositionGreeks(TypedDict):
    delta: float
    """greek"""
    gamma: float
    """greek"""
    theta: float
    """usd-per-day; per calendar day passing"""
    vega: float
    """usd per vol point"""
    rho: float
    """usd per 1.00 rate"""
    vanna: float
    """per 1.00 vol"""
    charm: float
    """delta-per-day; per day of time to expiry: the sign is opposite to that of theta"""


class PriceDensity(TypedDict):
    expiry: str
    root: str
    """option root; SPX and SPXW may expire on one day"""
    settlement: Literal["am", "pm"]
    days_to_expiry: int
    """days"""
    tenor: float
    """years"""
    forward: float
    """price"""
    quotes: int
    """count; out-of-the-money quotes with bid and ask"""
    quotes_inside: float
    """fraction; of them, those whose bid and ask hold the price of the smile"""
    beyond_quotes: float
    """fraction; risk-neutral probability: an end below the lowest or above the highest of these quotes, which is extrapolation"""
    variance_vol: float
    """percent; of the whole smile, tails included, calendar minutes: beside vol of model_free"""
    variance_beyond_quotes: float
    """fraction; of that variance, what comes from strikes beyond these quotes: extrapolation"""
    quantiles: List[PriceQuantile]
    """1 %, 5 %, 10 %, 25 %, 50 %, 75 %, 90 %, 95 %, 99 %"""
    strikes: List[float]
    """every listed strike, ascending"""
    below: List[float]
    """by index of strikes"""
    above: List[float]
    """by index of strikes"""


class PriceQuantile(TypedDict):
    probability: float
    """percent; risk-neutral probability of an end at or below the price"""
    price: float
    """price"""


class PricingGreeks(TypedDict):
    inputs: PricingGreeksInputs
    theoretical_price: float
    """usd; per share"""
    first_order: FirstOrderGreeks
    second_order: SecondOrderGreeks
    third_order: ThirdOrderGreeks
    additional: AdditionalGreeks


class PricingGreeksInputs(TypedDict):
    spot: float
    """price"""
    strike: float
    """price"""
    dte: float
    """days"""
    sigma: float
    """fraction"""
    type: Literal["call", "put"]
    risk_free_rate: float
    """fraction"""
    dividend_yield: float
    """fraction"""


class PricingIv(TypedDict):
    inputs: PricingIvInputs
    implied_volatility: float
    """fraction; annual fraction"""
    implied_volatility_pct: float
    """percent"""


class PricingIvInputs(TypedDict):
    spot: float
    """price"""
    strike: float
    """price"""
    dte: float
    """days"""
    price: float
    """usd"""
    type: Literal["call", "put"]
    risk_free_rate: float
    """fraction"""
    dividend_yield: float
    """fraction"""


class PricingKelly(TypedDict):
    inputs: PricingKellyInputs
    sizing: KellySizing
    analysis: KellyAnalysis
    recommendation: str


class PricingKellyInputs(TypedDict):
    spot: float
    """price"""
    strike: float
    """price"""
    dte: float
    """days"""
    sigma: float
    """fraction"""
    premium: float
    """usd"""
    mu: float
    """fraction"""
    type: Literal["call", "put"]
    risk_free_rate: float
    """fraction"""
    dividend_yield: float
    """fraction"""


class ProfileBucket(TypedDict):
    bucket: Literal["0", "1-7", "8-30", "31-90", "91+"]
    gex: List[float]


class PutCallProfile(TypedDict):
    by_expiry: List[ExpirationPutCall]
    by_moneyness: MoneynessPutCall


class Quality(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    source: str
    """name of the connector; on the replay host recorded or imported"""
    age_s: float
    """seconds; of the chain by the clock of the market"""
    score: int
    """score-0-100; 100 less all deductions"""
    contracts: ContractCounts
    checks: List[QualityCheck]


class QualityCheck(TypedDict):
    id: Literal["age", "two_sided", "crossed", "spread", "parity", "smile", "arbitrage", "missing_expirations", "open_interest_date", "spot", "scale", "open_interest", "settlement", "frozen_quotes", "quote_times"]
    value: Union[float, None]
    """as unit says; null where the check was not made"""
    unit: Literal["seconds", "percent", "ratio", "count"]
    deduction: int
    """points; of the score"""
    state: Literal["passed", "failed", "not_checkable", "not_due"]
    text: str
    """the finding"""


class Quantiles(TypedDict):
    p05: float
    """usd-notional"""
    p25: float
    """usd-notional"""
    p50: float
    """usd-notional"""
    p75: float
    """usd-notional"""
    p95: float
    """usd-notional"""


class QuotaExceeded(TypedDict):
    status: Literal["ERROR"]
    error: Literal["Quota exceeded"]
    message: str
    current_plan: str
    """capitalised plan name, e.g. Growth"""
    limit: int
    """count; requests a day"""
    upgrade_to: Union[str, None]
    """capitalised plan name, e.g. Growth"""
    reset_at: str
    """next 00:00 UTC"""


class QuoteAge(TypedDict):
    median_s: float
    """seconds"""
    p95_s: float
    """seconds"""


class QuoteRange(TypedDict):
    low: float
    """usd-notional"""
    high: float
    """usd-notional"""


class Reading(TypedDict):
    sentences: Literal["dealers_long_calls_short_puts", "dealer_model"]
    codes: Literal["dealers_short_calls_long_puts", "opposite_of_dealer_model"]
    note: str


class RealizedEstimators(TypedDict):
    close_to_close: WindowVolatilities
    parkinson: WindowVolatilities
    garman_klass: WindowVolatilities
    rogers_satchell: WindowVolatilities
    yang_zhang: WindowVolatilities


class RealizedVolatilities(TypedDict):
    rv_5d: Union[float, None]
    """percent; close to close over the last 5 returns"""
    rv_10d: Union[float, None]
    """percent"""
    rv_20d: Union[float, None]
    """percent"""
    rv_30d: Union[float, None]
    """percent"""
    rv_60d: Union[float, None]
    """percent"""


class RefusedExpiration(TypedDict):
    expiry: str
    root: str
    settlement: Literal["am", "pm"]
    reason: Literal["few_points", "no_fit", "rough"]


class RegimeProbability(TypedDict):
    positive_positions: Union[float, None]
    """fraction"""
    positive_combined: Union[float, None]
    """fraction"""


class ReloadSettingsAnswer(TypedDict):
    changed: List[str]


class RightContribution(TypedDict):
    right: Literal["call", "put"]
    value: float
    """usd-notional"""
    share: float
    """fraction; of gross"""


class RiskFlag(TypedDict):
    severity: Literal["low", "medium", "high"]
    code: Literal["NEGATIVE_GAMMA", "EARNINGS_BEFORE_EXPIRY", "EXPECTED_MOVE_EXHAUSTED", "EX_DIVIDEND_BEFORE_EXPIRY", "NEAR_GAMMA_FLIP", "PREMIUM_VOLUME_DIVERGENCE", "RISING_REALIZED_VOL", "TERM_INVERSION", "WIDE_SPREADS", "EX_DIVIDEND_RISK_NOT_MODELED", "LATE_DAY_GREEKS"]
    message: str


class RiskPremiums(TypedDict):
    vrp_5d: Union[float, None]
    """percent; atm_iv minus rv_5d, vol points"""
    vrp_10d: Union[float, None]
    """percent"""
    vrp_20d: Union[float, None]
    """percent"""
    vrp_30d: Union[float, None]
    """percent"""
    vrp_60d: Union[float, None]
    """percent"""
    assessment: Union[Literal["very_high_premium", "healthy_premium", "moderate_premium", "thin_premium", "negative_spread", "danger_zone"], None]


class RollCandidate(TypedDict):
    expiry: str
    strike: float
    """price"""
    premium: float
    """usd"""


class RotateAlertSecretAnswer(TypedDict):
    webhook_secret: str


class RotatedKey(TypedDict):
    key: str
    """the key itself: it is not kept and cannot be shown again"""
    id: str
    hint: str
    """the last four characters"""
    user_id: str
    email: str
    plan: str
    """id of the plan of its user"""
    name: str
    role: Literal["user", "operator"]
    created_at: str
    ends_at: Union[str, None]
    """the first moment at which it does not work any more; null: it does not end"""
    revoked_at: Union[str, None]
    replaced: Key


class ScenarioAxes(TypedDict):
    days_forward: List[float]
    vol_shocks: List[float]
    spot_shocks_pct: List[float]
    underlying: List[float]


class ScenarioGrid(TypedDict):
    spot: float
    """price"""
    valuation_date: str
    rate: float
    """fraction"""
    dividend_yield: float
    """fraction"""
    entry_cost: float
    """usd per share; net premium paid; negative = credit"""
    base_value: float
    """usd per share; model value with no shock at day 0"""
    axes: ScenarioAxes
    pnl: List[List[List[float]]]
    """pnl[day][vol][spot]"""
    best: ScenarioOutcome
    worst: ScenarioOutcome


class ScenarioOutcome(TypedDict):
    pnl: float
    """usd per share"""
    days_forward: float
    """days"""
    vol_shock: float
    """fraction"""
    spot_shock_pct: float
    """percent"""
    underlying: float
    """price; spot * (1 + shock / 100)"""


class ScenarioRequest(TypedDict):
    spot: float
    """current price of the underlying"""
    spotShocksPct: NotRequired[List[float]]
    """percent of spot"""
    volShocks: NotRequired[List[float]]
    """fractions added to the volatility of every leg"""
    daysForward: NotRequired[List[float]]
    """days after today"""
    today: NotRequired[str]
    """default: current UTC date"""
    rate: NotRequired[float]
    """fraction"""
    dividendYield: NotRequired[float]
    """fraction"""


class Screener(TypedDict):
    meta: ScreenerMeta
    data: List[Dict[str, Any]]


class ScreenerCondition(TypedDict):
    field: NotRequired[str]
    formula: NotRequired[str]
    """an alias or an expression"""
    operator: NotRequired[Literal["eq", "neq", "gt", "gte", "lt", "lte", "between", "in", "is_null", "is_not_null", "=", "==", "!=", ">", ">=", "<", "<="]]
    value: NotRequired[Union[float, str, bool, List[Union[float, str, bool]]]]
    """[low, high] for between, an array for in, absent for the null tests"""
    op: NotRequired[Literal["and", "or"]]
    conditions: NotRequired[List[Dict[str, Any]]]
    """conditions and groups alike"""


class ScreenerField(TypedDict):
    name: str
    type: Literal["number", "string", "boolean"]
    level: Literal["stock", "expiries", "strikes", "contracts", "macro"]
    min_plan: Literal["growth", "alpha"]


class ScreenerFields(TypedDict):
    fields: List[ScreenerField]
    count: int
    """count"""


class ScreenerFormula(TypedDict):
    alias: str
    expression: str


class ScreenerMeta(TypedDict):
    total_count: int
    """count; symbols that pass the filters"""
    returned_count: int
    """count; rows of this answer"""
    universe_size: int
    """count; symbols considered: those loaded that plan and universe allow"""
    missing_count: int
    """count; symbols that plan and universe allow and that have no row yet: they are still being read, or cannot be had"""
    offset: int
    """count"""
    limit: int
    """count; that of the request, or the most the plan may have"""
    tier: Literal["growth", "alpha"]
    as_of: str
    """the newest moment of the rows considered"""


class ScreenerRequest(TypedDict):
    universe: NotRequired[ScreenerUniverse]
    filters: NotRequired[ScreenerCondition]
    where: NotRequired[str]
    """in place of filters, conditions as text: atm_iv > 25 and regime = negative_gamma"""
    formulas: NotRequired[List[ScreenerFormula]]
    sort: NotRequired[List[ScreenerSort]]
    select: NotRequired[List[str]]
    """columns; * stands for all the plan may read"""
    limit: NotRequired[int]
    offset: NotRequired[int]


class ScreenerSort(TypedDict):
    field: NotRequired[str]
    formula: NotRequired[str]
    """an alias or an expression"""
    direction: NotRequired[Literal["asc", "desc"]]


class ScreenerUniverse(TypedDict):
    type: Literal["preset", "custom"]
    value: NotRequired[str]
    """all, tier1, tier2, etfs, indices, or a list of the operator"""
    symbols: NotRequired[List[str]]


class SecondOrderGreeks(TypedDict):
    vanna: float
    """per 1.00 vol"""
    charm: float
    """delta-per-day; per day of time to expiry: the sign is opposite to that of theta"""
    vomma: float
    """usd per 1.00 vol squared"""
    dual_delta: float
    """greek; price change per 1.00 of strike"""


class Series(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    every: Literal["1m", "5m", "15m", "30m", "1h", "1d"]
    t: List[str]
    """ascending"""
    columns: Dict[str, List[Union[float, None]]]
    """one array for each field asked for, as long as t, of what the answer about that moment says: underlying_price, net_gex, net_dex, net_vex, net_chex, gamma_flip, call_wall, put_wall, call_wall_above, put_wall_below, max_positive_gamma, max_negative_gamma, max_pain, atm_iv, atm_iv_30d, skew_25d, expected_move_1d, pc_ratio_oi, pc_ratio_volume, total_call_oi, total_put_oi, total_call_volume, total_put_volume, zero_dte.net_gex, zero_dte.net_chex, zero_dte.call_wall, zero_dte.put_wall, zero_dte.magnet, zero_dte.pin_score, zero_dte.theta_per_hour, zero_dte.remaining_1sd_dollars, flow.net_premium, flow.delta_dollars, flow.hedge.delta, flow.hedge.delta_calls, flow.hedge.delta_puts, flow.hedge.delta_next, flow.hedge.gamma, flow.hedge.vega, flow.net_gex_live"""
    incomplete: List[IncompleteStretch]
    """stretches with snapshots whose figures wait to be made, by formulas that changed or of prints"""


class SessionClosed(TypedDict):
    symbol: str
    """underlying ticker"""
    as_of: str
    """the moment the answer describes, UTC"""
    market_open: Literal[False]
    session_closed: Literal[True]
    last_session: str
    """the newest session that has begun"""
    message: str


class SettledLevels(TypedDict):
    call_wall: Union[float, None]
    """price"""
    put_wall: Union[float, None]
    """price"""
    max_pain: Union[float, None]
    """price"""
    gamma_flip: Union[float, None]
    """price"""


class SheetStrikeRow(TypedDict):
    strike: float
    """price"""
    call_gex: float
    """usd-notional"""
    put_gex: float
    """usd-notional"""
    net_gex: float
    """usd-notional"""
    call_dex: float
    """usd-notional"""
    put_dex: float
    """usd-notional"""
    net_dex: float
    """usd-notional"""
    call_vex: float
    """usd-notional"""
    put_vex: float
    """usd-notional"""
    net_vex: float
    """usd-notional"""
    call_chex: float
    """usd-notional"""
    put_chex: float
    """usd-notional"""
    net_chex: float
    """usd-notional"""
    dag: float
    """usd-notional"""
    call_oi: int
    """contracts"""
    put_oi: int
    """contracts"""


class SheetTotals(TypedDict):
    net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""
    net_dex: float
    """usd-notional; USD delta of the option holders"""
    net_vex: float
    """usd-notional; USD of delta gained per +1.00 of volatility"""
    net_chex: float
    """usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry"""
    net_dag: float
    """usd-notional; delta-adjusted gamma"""


class SkewMetrics(TypedDict):
    expiry: Union[str, None]
    days_to_expiry: Union[int, None]
    """days"""
    atm_iv: Union[float, None]
    """percent; at the forward"""
    call_iv_25d: Union[float, None]
    """percent"""
    put_iv_25d: Union[float, None]
    """percent"""
    risk_reversal_25d: Union[float, None]
    """percent; call minus put, vol points"""
    skew_slope: Union[float, None]
    """percent; vol points per 10 % of log-moneyness, above 0 where puts are more expensive"""
    dominant_wing: Union[Literal["put", "call", "none"], None]
    sample_count: Union[int, None]
    """count; smile points"""
    underlying_price: float
    """price"""


class SkewProfile(TypedDict):
    expiry: str
    days_to_expiry: int
    """days"""
    root: str
    """option root"""
    settlement: Literal["am", "pm"]
    put_10d_iv: float
    """percent"""
    put_25d_iv: float
    """percent"""
    atm_iv: float
    """percent"""
    call_25d_iv: float
    """percent"""
    call_10d_iv: float
    """percent"""
    skew_25d: float
    """percent; put minus call, vol points"""
    smile_ratio: float
    """ratio; put over call"""
    tail_convexity: float
    """percent; how the downside steepens, vol points"""


class SourceDoubt(TypedDict):
    symbol: str
    kind: Literal["unusable_quotes", "contracts", "open_interest", "volume", "spot_off_options", "spot_jump", "past_close", "daily_bars"]
    reason: str
    """a sentence about what the source says"""
    until: str
    """the evidence that would end the doubt"""
    since: str


class SpreadWidths(TypedDict):
    median_pct: Union[float, None]
    """percent; of the mid, contracts with a two-sided quote"""
    p95_pct: Union[float, None]
    """percent"""


class StockBar(TypedDict):
    ts: str
    """the beginning of the bar"""
    closed: bool
    """whether the bar is over"""
    open: Union[float, None]
    """price; first price by time; null where no print of it may set a price"""
    close: Union[float, None]
    """price; last price by time; null where no print of it may set a price"""
    high: Union[float, None]
    """price; highest price; null where no print of it may set a price"""
    low: Union[float, None]
    """price; lowest price; null where no print of it may set a price"""
    vwap: Union[float, None]
    """price; mean price of a share; null where no print of it may set a price"""
    buyVolume: int
    """shares; bought by customers"""
    sellVolume: int
    """shares; sold by customers"""
    midVolume: int
    """shares; of prints without a side"""
    netVolume: int
    """shares; bought less sold"""
    tradeCount: int
    """count"""
    biggestTrade: int
    """shares"""


class StockBlockTrade(TypedDict):
    ts: str
    """by the clock of the exchange, UTC"""
    price: float
    """price"""
    size: int
    """shares"""
    side: Literal["mid", "buy", "sell"]
    bid: Union[float, None]
    """price; best bid that the side was judged by; null where there was none"""
    ask: Union[float, None]
    """price; best ask that the side was judged by; null where there was none"""


class StockFlowBucket(TypedDict):
    ts: str
    """the beginning of the minute"""
    buyVolume: int
    """shares; bought by customers"""
    sellVolume: int
    """shares; sold by customers"""
    midVolume: int
    """shares; of prints without a side"""
    netVolume: int
    """shares; bought less sold"""
    tradeCount: int
    """count"""
    biggestTrade: int
    """shares"""
    open: Union[float, None]
    """price; first price by time; null where no print of it may set a price"""
    close: Union[float, None]
    """price; last price by time; null where no print of it may set a price"""
    high: Union[float, None]
    """price; highest price; null where no print of it may set a price"""
    low: Union[float, None]
    """price; lowest price; null where no print of it may set a price"""
    vwap: Union[float, None]
    """price; mean price of a share; null where no print of it may set a price"""


class StockLeader(TypedDict):
    symbol: str
    buyVolume: int
    """shares; bought by customers"""
    sellVolume: int
    """shares; sold by customers"""
    netVolume: int
    """shares; bought less sold"""
    netNotional: float
    """usd-notional; net volume at the vwap"""
    tradeCount: int
    """count"""
    lastTradeUtc: str
    """by the clock of the exchange, UTC"""
    vwap: float
    """price; over the prints of the window that may set a price"""


class StockSummary(TypedDict):
    symbol: str
    """underlying ticker"""
    as_of: str
    """the moment the answer describes, UTC; the close of an earlier session without a key"""
    market_open: bool
    """whether the regular session was in progress at as_of"""
    price: SummaryPrice
    volatility: SummaryVolatility
    options_flow: SummaryFlow
    exposure: Union[SummaryExposure, None]
    macro: SummaryMacro


class StockTrade(TypedDict):
    ts: str
    """by the clock of the exchange, UTC"""
    price: float
    """price"""
    size: int
    """shares"""
    side: Literal["mid", "buy", "sell"]
    isBlock: bool
    """10000 shares or more"""
    bid: Union[float, None]
    """price; best bid that the side was judged by; null where there was none"""
    ask: Union[float, None]
    """price; best ask that the side was judged by; null where there was none"""


class Stockquote(TypedDict):
    ticker: str
    bid: Union[float, None]
    """price; null without a two-sided quote, as for an index"""
    ask: Union[float, None]
    """price"""
    mid: float
    """price; the last price where a side is missing"""
    lastPrice: float
    """price"""
    lastUpdate: str
    previous_close: Union[float, None]
    """price; of the previous session; null if nothing is stored of it"""


class StrategiesDealerRegime(TypedDict):
    strategy: Literal["dealer_regime"]
    symbol: str
    """underlying ticker"""
    timestamp: str
    """the moment the decision was made, UTC"""
    decision: Literal["insufficient_data", "avoid", "neutral", "candidate"]
    score: int
    """score-0-100; 0 where an input is missing"""
    confidence: float
    """fraction; quality of the data, size of the sample and liquidity"""
    regime: Literal["positive_gamma_compression", "negative_gamma_acceleration", "transition", "symbol_not_covered_historically"]
    best_structures: List[SuggestedStructure]
    metrics: DealerRegimeMetrics
    risk_flags: List[RiskFlag]
    why: List[str]
    """one reason each, with its number"""
    avoid_if: List[str]
    """what would invalidate the signal"""
    data_quality: DataQuality


class StrategiesExpiryPositioning(TypedDict):
    strategy: Literal["expiry_positioning"]
    symbol: str
    """underlying ticker"""
    timestamp: str
    """the moment the decision was made, UTC"""
    decision: Literal["insufficient_data", "avoid", "neutral", "candidate"]
    score: int
    """score-0-100; 0 where an input is missing"""
    confidence: float
    """fraction; quality of the data, size of the sample and liquidity"""
    regime: Literal["strong_pin_likely", "moderate_pin", "no_pin_setup", "symbol_not_covered_historically"]
    best_structures: List[SuggestedStructure]
    metrics: ExpiryPositioningMetrics
    risk_flags: List[RiskFlag]
    why: List[str]
    """one reason each, with its number"""
    avoid_if: List[str]
    """what would invalidate the signal"""
    data_quality: DataQuality


class StrategiesFlowAnomaly(TypedDict):
    strategy: Literal["flow_anomaly"]
    symbol: str
    """underlying ticker"""
    timestamp: str
    """the moment the decision was made, UTC"""
    decision: Literal["insufficient_data", "avoid", "neutral", "candidate"]
    score: int
    """score-0-100; 0 where an input is missing"""
    confidence: float
    """fraction; quality of the data, size of the sample and liquidity"""
    regime: Literal["bullish_flow_imbalance", "bearish_flow_imbalance", "neutral_flow", "symbol_not_covered_historically"]
    best_structures: List[SuggestedStructure]
    metrics: FlowAnomalyMetrics
    risk_flags: List[RiskFlag]
    why: List[str]
    """one reason each, with its number"""
    avoid_if: List[str]
    """what would invalidate the signal"""
    data_quality: DataQuality


class StrategiesSkew(TypedDict):
    strategy: Literal["skew"]
    symbol: str
    """underlying ticker"""
    timestamp: str
    """the moment the decision was made, UTC"""
    decision: Literal["insufficient_data", "avoid", "neutral", "candidate"]
    score: int
    """score-0-100; 0 where an input is missing"""
    confidence: float
    """fraction; quality of the data, size of the sample and liquidity"""
    regime: Literal["put_skew", "call_skew", "flat_skew", "no_skew_data", "symbol_not_covered_historically"]
    best_structures: List[SuggestedStructure]
    metrics: SkewMetrics
    risk_flags: List[RiskFlag]
    why: List[str]
    """one reason each, with its number"""
    avoid_if: List[str]
    """what would invalidate the signal"""
    data_quality: DataQuality


class StrategiesSurfaceAnomaly(TypedDict):
    strategy: Literal["surface_anomaly"]
    symbol: str
    """underlying ticker"""
    timestamp: str
    """the moment the decision was made, UTC"""
    decision: Literal["insufficient_data", "avoid", "neutral", "candidate"]
    score: int
    """score-0-100; 0 where an input is missing"""
    confidence: float
    """fraction; quality of the data, size of the sample and liquidity"""
    regime: Literal["rich_put_wing", "rich_call_wing", "flat_residuals", "no_fitted_surface", "symbol_not_covered_historically"]
    best_structures: List[SuggestedStructure]
    metrics: SurfaceAnomalyMetrics
    risk_flags: List[RiskFlag]
    why: List[str]
    """one reason each, with its number"""
    avoid_if: List[str]
    """what would invalidate the signal"""
    data_quality: DataQuality


class StrategiesTailPricing(TypedDict):
    strategy: Literal["tail_pricing"]
    symbol: str
    """underlying ticker"""
    timestamp: str
    """the moment the decision was made, UTC"""
    decision: Literal["insufficient_data", "avoid", "neutral", "candidate"]
    score: int
    """score-0-100; 0 where an input is missing"""
    confidence: float
    """fraction; quality of the data, size of the sample and liquidity"""
    regime: Literal["expensive_tail", "cheap_tail", "symmetric_tail", "no_tail_data", "symbol_not_covered_historically"]
    best_structures: List[SuggestedStructure]
    metrics: TailPricingMetrics
    risk_flags: List[RiskFlag]
    why: List[str]
    """one reason each, with its number"""
    avoid_if: List[str]
    """what would invalidate the signal"""
    data_quality: DataQuality


class StrategiesTermStructure(TypedDict):
    strategy: Literal["term_structure"]
    symbol: str
    """underlying ticker"""
    timestamp: str
    """the moment the decision was made, UTC"""
    decision: Literal["insufficient_data", "avoid", "neutral", "candidate"]
    score: int
    """score-0-100; 0 where an input is missing"""
    confidence: float
    """fraction; quality of the data, size of the sample and liquidity"""
    regime: Literal["contango", "backwardation", "flat_term", "no_term_structure_data", "symbol_not_covered_historically"]
    best_structures: List[SuggestedStructure]
    metrics: TermStructureMetrics
    risk_flags: List[RiskFlag]
    why: List[str]
    """one reason each, with its number"""
    avoid_if: List[str]
    """what would invalidate the signal"""
    data_quality: DataQuality


class StrategiesVolCarry(TypedDict):
    strategy: Literal["vol_carry"]
    symbol: str
    """underlying ticker"""
    timestamp: str
    """the moment the decision was made, UTC"""
    decision: Literal["insufficient_data", "avoid", "neutral", "candidate"]
    score: int
    """score-0-100; 0 where an input is missing"""
    confidence: float
    """fraction; quality of the data, size of the sample and liquidity"""
    regime: Literal["rich_iv_stable_realized_vol", "fair_iv_neutral_realized_vol", "cheap_iv_or_unstable_realized_vol", "vrp_unavailable", "symbol_not_covered_historically"]
    best_structures: List[SuggestedStructure]
    metrics: VolCarryMetrics
    risk_flags: List[RiskFlag]
    why: List[str]
    """one reason each, with its number"""
    avoid_if: List[str]
    """what would invalidate the signal"""
    data_quality: DataQuality


class StrategiesYieldEnhancement(TypedDict):
    strategy: Literal["yield_enhancement"]
    symbol: str
    """underlying ticker"""
    timestamp: str
    """the moment the decision was made, UTC"""
    decision: Literal["insufficient_data", "avoid", "neutral", "candidate"]
    score: int
    """score-0-100; 0 where an input is missing"""
    confidence: float
    """fraction; quality of the data, size of the sample and liquidity"""
    regime: Literal["covered_call_income", "cash_secured_put_income", "no_yield_candidate", "symbol_not_covered_historically"]
    best_structures: List[SuggestedStructure]
    metrics: YieldEnhancementMetrics
    risk_flags: List[RiskFlag]
    why: List[str]
    """one reason each, with its number"""
    avoid_if: List[str]
    """what would invalidate the signal"""
    data_quality: DataQuality


class StrategiesZeroDte(TypedDict):
    strategy: Literal["zero_dte"]
    symbol: str
    """underlying ticker"""
    timestamp: str
    """the moment the decision was made, UTC"""
    decision: Literal["insufficient_data", "avoid", "neutral", "candidate"]
    score: int
    """score-0-100; 0 where an input is missing"""
    confidence: float
    """fraction; quality of the data, size of the sample and liquidity"""
    regime: Literal["pin_risk_positive_gamma", "range_compression", "trend_risk_or_no_setup", "no_same_day_expiry", "no_expiry_chain", "symbol_not_covered_historically"]
    best_structures: List[SuggestedStructure]
    metrics: ZeroDteStrategyMetrics
    risk_flags: List[RiskFlag]
    why: List[str]
    """one reason each, with its number"""
    avoid_if: List[str]
    """what would invalidate the signal"""
    data_quality: DataQuality


class StreamBundle(TypedDict):
    until: Union[str, None]
    """the first moment without it; null where it does not end"""
    limit: int
    """count; subscriptions; objects and lists count as ten"""
    used: int
    """count"""


class StreamCatalog(TypedDict):
    version: str
    """changes when any row does"""
    count: int
    """count; rows of all pages"""
    page: int
    """count"""
    pages: int
    """count"""
    metrics: List[StreamMetric]


class StreamMetric(TypedDict):
    id: str
    """what to subscribe to; [*] stands where a selector is needed"""
    value_type: Literal["number", "string", "boolean", "object", "array"]
    nullable: bool
    unit: Union[str, None]
    operation: str
    """the REST operation behind it"""
    key_field: Union[str, None]
    """field that identifies the rows of its array"""
    selectors: List[Literal["key", "atm", "front", "position"]]
    params: List[str]
    short_forms: List[str]
    recompute: Literal["tick", "second", "minute", "daily"]
    cost: int
    """count; subscriptions it counts for"""
    min_cadence_ms: int
    """milliseconds"""


class StreamTicket(TypedDict):
    ticket: str
    """for /ws?ticket=, once"""
    expires_at: str
    """a minute from now"""


class StrikeContribution(TypedDict):
    strike: float
    """price"""
    value: float
    """usd-notional"""
    share: float
    """fraction; of gross"""


class StrikeFlowBar(TypedDict):
    t: str
    """the beginning of the minute"""
    spot: Union[float, None]
    """price"""
    signed_delta_dollars: List[Union[float, None]]
    signed_gamma_dollars: List[Union[float, None]]
    contracts: List[Union[int, None]]


StrikeGammaChange = TypedDict(
    "StrikeGammaChange",
    {
        "strike": "float",
        "from": "float",
        "to": "float",
        "change": "float",
        "spot": "float",
        "rest": "float",
    },
)


class StrikeResidual(TypedDict):
    strike: float
    """price"""
    type: Literal["put", "call"]
    market_iv: float
    """percent"""
    fitted_iv: float
    """percent"""
    residual: float
    """percent; market_iv minus fitted_iv, vol points"""


class StructuresGreeks(TypedDict):
    spot: float
    """price"""
    as_of: str
    """time of the request"""
    valuation_date: str
    """the date the legs are valued on"""
    rate: float
    """fraction"""
    dividend_yield: float
    """fraction"""
    legs: List[GreeksLeg]
    """the legs as they were sent"""
    position_greeks: PositionGreeks


class StructuresGreeksRequest(TypedDict):
    legs: List[GreeksLeg]
    spot: float
    exercise: NotRequired[Literal["european", "american"]]
    """at expiry alone, or on any day"""
    today: NotRequired[str]
    """default: current UTC date"""
    rate: NotRequired[float]
    """fraction"""
    dividendYield: NotRequired[float]
    """fraction"""


class StructuresPnl(TypedDict):
    legs: List[PnlLeg]
    """the legs as they were sent"""
    pnl_curve: List[PnlPoint]
    breakevens: List[float]
    max_profit: Union[float, None]
    """usd per share; null where there is no limit"""
    max_loss: Union[float, None]
    """usd per share; null where there is no limit"""
    scenario_grid: NotRequired[ScenarioGrid]


class StructuresPnlRequest(TypedDict):
    legs: List[PnlLeg]
    minUnderlying: NotRequired[float]
    """below 0 counts as 0"""
    maxUnderlying: NotRequired[float]
    """not above minUnderlying: the range follows the strikes"""
    points: NotRequired[int]
    """2 to 2001, moved there from outside"""
    scenarios: NotRequired[ScenarioRequest]


class SuggestedLeg(TypedDict):
    action: Literal["sell", "buy"]
    type: Literal["put", "call"]
    strike: float
    """price"""
    delta: float
    """ratio; of the option itself"""
    premium: float
    """usd; mid, per share"""
    quantity: int
    """contracts"""


class SuggestedStructure(TypedDict):
    rank: int
    """count; from 1"""
    structure: Literal["short_put_spread", "short_call_spread", "iron_fly", "iron_condor", "covered_call", "cash_secured_put"]
    expiry: str
    legs: List[SuggestedLeg]
    credit: Union[float, None]
    """usd; per share"""
    debit: Union[float, None]
    """usd; per share; no structure that costs money is proposed"""
    max_profit: float
    """usd; per share"""
    max_loss: float
    """usd; per share"""
    breakevens: List[float]
    """ascending"""
    edge_score: int
    """score-0-100; score of the signal, what the structure earns and how well it trades"""
    liquidity_score: float
    """fraction; of the leg that trades worst"""


class SummaryExposure(TypedDict):
    net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""
    net_dex: float
    """usd-notional; USD delta of the option holders"""
    net_vex: float
    """usd-notional; USD of delta gained per +1.00 of volatility"""
    net_chex: float
    """usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry"""
    net_vex_per_point: float
    """usd-notional; USD of delta gained per volatility point: net_vex / 100"""
    gamma_flip: Union[float, None]
    """price"""
    call_wall: Union[float, None]
    """price"""
    put_wall: Union[float, None]
    """price"""
    max_pain: Union[float, None]
    """price; all expirations pooled"""
    highest_oi_strike: Union[float, None]
    """price"""
    regime: Literal["positive_gamma", "negative_gamma"]
    interpretation: ExposureInterpretation
    reading: Reading
    hedging_estimate: SummaryHedges
    zero_dte: SummaryZeroDte
    top_strikes: List[SummaryStrike]
    """by size of net gamma, largest first"""
    oi_weighted_dte: Union[float, None]
    """days; mean days to expiry of the open contracts"""


class SummaryFlow(TypedDict):
    total_call_oi: int
    """contracts"""
    total_put_oi: int
    """contracts"""
    total_call_volume: int
    """contracts"""
    total_put_volume: int
    """contracts"""
    pc_ratio_oi: Union[float, None]
    """ratio; puts over calls"""
    pc_ratio_volume: Union[float, None]
    """ratio; puts over calls"""
    active_expirations: int
    """count; dates with a live contract"""


class SummaryHedge(TypedDict):
    dealer_shares: int
    """shares; absolute"""
    direction: Literal["buy", "sell"]
    notional_usd: float
    """usd; shares times spot"""


class SummaryHedges(TypedDict):
    spot_down_1pct: SummaryHedge
    spot_up_1pct: SummaryHedge


class SummaryMacro(TypedDict):
    vix: Union[MacroLevel, None]
    vvix: Union[MacroLevel, None]
    skew: Union[MacroLevel, None]
    spx: Union[MacroLevel, None]
    move: Union[MacroLevel, None]
    vix_term_structure: Union[VixTermStructure, None]
    vix_futures: Union[VixFutures, None]
    fear_and_greed: Union[FearAndGreed, None]


class SummaryPrice(TypedDict):
    bid: Union[float, None]
    """price; null without a two-sided quote, as for an index"""
    ask: Union[float, None]
    """price"""
    mid: float
    """price; the last price where a side is missing"""
    last: float
    """price"""
    last_update: str


class SummarySkew(TypedDict):
    expiry: str
    """the expiration of atm_iv"""
    days_to_expiry: int
    """days"""
    put_25d_iv: float
    """percent"""
    atm_iv: float
    """percent"""
    call_25d_iv: float
    """percent"""
    skew_25d: float
    """percent; put minus call, vol points"""
    smile_ratio: Union[float, None]
    """ratio; put over call"""


class SummaryStrike(TypedDict):
    strike: float
    """price"""
    net_gex: float
    """usd-notional"""
    call_oi: int
    """contracts"""
    put_oi: int
    """contracts"""
    total_oi: int
    """contracts"""


class SummaryVolatility(TypedDict):
    atm_iv: Union[float, None]
    """percent; at the forward of the reference expiration"""
    atm_iv_30d: Union[float, None]
    """percent; at the forward, constant maturity of 30 days"""
    hv_20: Union[float, None]
    """percent; close to close over the last 20 returns"""
    hv_60: Union[float, None]
    """percent; close to close over the last 60 returns"""
    vrp: Union[float, None]
    """percent; atm_iv minus hv_20, vol points"""
    skew_25d: Union[SummarySkew, None]
    iv_term_structure: List[ExpirationVolatility]


class SummaryZeroDte(TypedDict):
    net_gex: float
    """usd-notional"""
    pct_of_total: Union[float, None]
    """percent; 100 |same-day net| / |full-chain net|; may exceed 100"""
    pct_of_gross_gex: Union[float, None]
    """percent; share of the gross gamma of all contracts, 0 to 100"""
    expiration: Union[str, None]
    """today, or null when nothing live expires today"""


class Surface(TypedDict):
    symbol: str
    """underlying ticker"""
    spot: float
    """price"""
    as_of: str
    """the moment of the quotes that were fitted, UTC"""
    grid_size: Literal[50]
    tenors: List[float]
    """ascending, from the first fitted expiration to the last"""
    moneyness: List[float]
    """ascending, -0.5 to 0.5"""
    iv: List[List[float]]
    """iv[tenor][moneyness]"""
    slices_used: int
    """count; fitted expirations behind the grid"""
    fit: NotRequired[Literal["market"]]
    variance_days_30: NotRequired[Union[float, None]]
    """percent; with fit=market: of the whole smiles over the next 30 days, beside days_30 of model_free"""
    density: NotRequired[List[PriceDensity]]
    """with fit=market: the risk-neutral distribution of the price at expiry of each listing, by expiry and root"""
    refused: NotRequired[List[RefusedExpiration]]
    """with fit=market: live listings without a smile, and why"""


class SurfaceAnomalyMetrics(TypedDict):
    expiry: Union[str, None]
    put_wing_richness: Union[float, None]
    """percent; mean residual by vega, vol points"""
    call_wing_richness: Union[float, None]
    """percent; mean residual by vega, vol points"""
    dominant_wing: Union[Literal["put", "call", "none"], None]
    sample_count: Union[int, None]
    """count; smile points"""
    forward: Union[float, None]
    """price"""
    per_strike_residuals: Union[List[StrikeResidual], None]
    fit_quality_score: Union[int, None]
    """score-0-100"""
    cheap_convexity_score: Union[int, None]
    """score-0-100; how far the cheaper wing lies below the fit"""
    underlying_price: float
    """price"""


class SurfaceSvi(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    market_open: bool
    """whether the regular session was in progress at as_of"""
    svi_parameters: List[SviSlice]
    """accepted fits, by days to expiry"""
    svi_parameters_am: List[SviSlice]
    """accepted fits of AM-settled series, by days to expiry, whichever series stands for their date"""


class SurpriseReaction(TypedDict):
    beat_avg_move_pct: Union[float, None]
    """percent; mean move after earnings per share more than 1 % above the estimate, signed"""
    miss_avg_move_pct: Union[float, None]
    """percent; mean move after more than 1 % below, signed"""
    inline_avg_move_pct: Union[float, None]
    """percent; mean move after between, signed"""


class SviSlice(TypedDict):
    expiry: str
    days_to_expiry: int
    """days"""
    root: str
    """option root"""
    settlement: Literal["am", "pm"]
    forward: float
    """price"""
    a: float
    """total-variance"""
    b: float
    """total-variance"""
    rho: float
    """ratio"""
    m: float
    """log-moneyness"""
    sigma: float
    """log-moneyness"""
    atm_total_variance: float
    """total-variance; w(0)"""
    atm_iv: float
    """percent; 100 √(w(0) / T)"""


class Symbols(TypedDict):
    symbols: List[str]
    """requested since the start and still loaded, ascending"""
    count: int
    """count"""
    note: str
    last_updated: Union[str, None]
    """when the newest of them was observed"""
    held: List[HeldSymbol]
    """every symbol whose chain is loaded, requested or kept warm, ascending"""


class TailPricingMetrics(TypedDict):
    expiry: Union[str, None]
    days_to_expiry: Union[int, None]
    """days"""
    atm_iv: Union[float, None]
    """percent; at the forward"""
    put_tail_iv_10d: Union[float, None]
    """percent"""
    call_tail_iv_10d: Union[float, None]
    """percent"""
    downside_skew: Union[float, None]
    """percent; put_tail_iv_10d minus atm_iv, vol points"""
    tail_asymmetry: Union[float, None]
    """percent; put_tail_iv_10d minus call_tail_iv_10d, vol points"""
    sample_count: Union[int, None]
    """count; smile points"""
    underlying_price: float
    """price"""


class TenorExposures(TypedDict):
    bucket: Literal["0-7d", "8-30d", "31-60d", "61-180d", "180d+"]
    dte_range: List[int]
    """days, both ends included"""
    net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""
    net_dex: float
    """usd-notional; USD delta of the option holders"""
    net_vex: float
    """usd-notional; USD of delta gained per +1.00 of volatility"""
    net_chex: float
    """usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry"""
    contract_count: int
    """contracts; contracts with open interest"""


class TenorGex(TypedDict):
    bucket: Literal["0-7d", "8-30d", "31-60d", "60d+"]
    net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""
    pct_of_total: float
    """percent; 100 |net_gex| over the sum of them"""
    contract_count: int
    """contracts; series with open interest and greeks"""


class TenorTheta(TypedDict):
    bucket: Literal["0-7d", "8-30d", "31-60d", "60d+"]
    net_theta: float
    """usd; holder side, per calendar day; of contracts that expire today, to their expiry"""
    contract_count: int
    """contracts; series with open interest and greeks"""


class TenorVrp(TypedDict):
    dte: int
    """days; 7, 14, 30 or 60"""
    iv: float
    """percent; at the forward"""
    rv: float
    """percent; over as many past returns"""
    vrp: float
    """percent; iv minus rv, vol points"""


class TermPoint(TypedDict):
    expiry: str
    dte: int
    """days"""
    atm_iv: float
    """percent"""


class TermStructureMetrics(TypedDict):
    front_iv: Union[float, None]
    """percent; of the first expiration a day away or more"""
    back_iv: Union[float, None]
    """percent; of the last within a year"""
    slope: Union[float, None]
    """percent; back minus front, vol points"""
    shape: Union[Literal["contango", "backwardation", "flat"], None]
    expiry_count: Union[int, None]
    """count"""
    term_points: Union[List[TermPoint], None]
    underlying_price: float
    """price"""


class TestAlertAnswer(TypedDict):
    delivered: bool
    status: Union[int, None]
    """what was answered; null: nothing was"""
    failure: Union[str, None]


class ThirdOrderGreeks(TypedDict):
    speed: float
    """greek; gamma change per 1.00 of spot"""
    zomma: float
    """per 1.00 vol; gamma change"""
    color: float
    """gamma-per-day; per day of time to expiry"""
    ultima: float
    """greek; vomma change per 1.00 of volatility"""


class Tickers(TypedDict):
    tickers: List[str]
    """ascending"""
    count: int
    """count"""


class TierRestricted(TypedDict):
    status: Literal["ERROR"]
    error: Literal["tier_restricted"]
    message: str
    current_plan: str
    """capitalised plan name, e.g. Growth"""
    required_plan: str
    """capitalised plan name, e.g. Growth"""


class ToldBrowser(TypedDict):
    id: str
    host: str
    """the push service; the rest of the address is shown to nobody"""
    created_at: str


class TotalVarianceSurface(TypedDict):
    moneyness: List[float]
    expiries: List[str]
    tenors: List[float]
    total_variance: List[List[float]]
    implied_vol: List[List[float]]


class Unauthorized(TypedDict):
    title: str
    status: Literal[401]
    detail: str


class Universe(TypedDict):
    as_of: str
    count: int
    """count; the whole universe"""
    returned: int
    """count"""
    limit: int
    """count"""
    sort: Literal["tier", "symbol"]
    symbols: List[UniverseSymbol]


class UniverseSymbol(TypedDict):
    symbol: str
    tier: Literal[1, 2]
    """1 = refreshed first, 2 = the rest"""
    is_pre_warmed: bool
    """loaded"""
    age_seconds: Union[float, None]
    """seconds; since the loaded data was requested from the source; null if nothing is loaded"""
    is_late: bool
    """not renewed for twice the intended time: the source fails or accepts no more requests"""


class User(TypedDict):
    id: str
    email: str
    plan: str
    """id of the plan"""
    subscribed_on: str
    created_at: str
    usage_today: int
    """count; requests since 00:00 UTC; on an unlimited plan up to a second behind"""
    daily_limit: Union[int, None]
    """count; null: unlimited"""


class UserChange(TypedDict):
    plan: NotRequired[str]
    """id of a plan"""
    subscribed_on: NotRequired[str]
    """yyyy-MM-dd"""


class UserDocument(TypedDict):
    id: str
    changed_at: str
    value: Dict[str, Any]
    """a JSON object; its fields are those of the page"""


class UsualPressure(TypedDict):
    sessions: int
    """count; among the newest 20 recorded sessions, those with a sided print of the scope by this time of day"""
    low: float
    """usd; a tenth of them had less, whatever the sign"""
    median: float
    """usd"""
    high: float
    """usd; a tenth of them had more"""


class VannaConditioned(TypedDict):
    outlook: Literal["vanna_supportive", "vanna_neutral", "vanna_cascade_risk", "unknown"]
    interpretation: str


class VarianceSwap(TypedDict):
    expiry: str
    days_to_expiry: int
    """days"""
    root: str
    """option root"""
    settlement: Literal["am", "pm"]
    fair_variance: float
    """total-variance; to expiry, not annualized"""
    fair_vol: float
    """percent; 100 √(fair_variance / T)"""
    atm_iv: float
    """percent"""
    convexity_adjustment: float
    """percent; fair_vol minus atm_iv, vol points"""


class VexStrikeRow(TypedDict):
    strike: float
    """price"""
    call_vex: float
    """usd-notional"""
    put_vex: float
    """usd-notional"""
    net_vex: float
    """usd-notional"""


class VixFutures(TypedDict):
    front_month: float
    """index-points; the three-month index"""
    spot: float
    """index-points; the VIX"""
    spread: float
    """index-points; front_month minus spot"""
    basis_pct: float
    """percent; 100 spread / spot"""
    basis: Literal["contango", "backwardation"]


class VixTermLevels(TypedDict):
    vix9d: Union[float, None]
    """index-points"""
    vix: Union[float, None]
    """index-points"""
    vix3m: Union[float, None]
    """index-points"""
    vix6m: Union[float, None]
    """index-points"""


class VixTermStructure(TypedDict):
    levels: VixTermLevels
    near_slope_pct: Union[float, None]
    """percent; 100 (vix - vix9d) / vix9d"""
    structure: Literal["contango", "backwardation"]


class VolCarryMetrics(TypedDict):
    atm_iv: Union[float, None]
    """percent; at the forward of the reference expiration"""
    realized_vol: Union[float, None]
    """percent; close to close over 20 returns"""
    vrp: Union[float, None]
    """percent; atm_iv minus realized_vol, vol points"""
    vrp_z_score: Union[float, None]
    """sigmas; among the previous sessions"""
    vrp_percentile: Union[int, None]
    """score-0-100; among them"""
    used_real_metrics: Union[bool, None]
    """whether 20 stored sessions or more stand behind both"""
    skew_25d: Union[float, None]
    """percent; put minus call, vol points"""
    risk_reversal_25d: Union[float, None]
    """percent; call minus put, vol points"""
    term_slope: Union[float, None]
    """percent; volatility of 30 days over that of 7"""
    rv_change_5d: Union[float, None]
    """percent; realized_vol now minus five sessions ago, vol points"""
    earnings_before_expiry: Union[bool, None]
    """null without an earnings calendar"""
    recommended_side: Union[Literal["put", "call", "both", "none"], None]
    underlying_price: float
    """price"""


class Volatility(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    market_open: bool
    """whether the regular session was in progress at as_of"""
    realized_vol: RealizedVolatilities
    atm_iv: Union[float, None]
    """percent; at the forward of the reference expiration"""
    atm_iv_30d: Union[float, None]
    """percent; at the forward, constant maturity of 30 days"""
    iv_rv_spreads: RiskPremiums
    skew_profiles: List[SkewProfile]
    term_structure: VolatilityTermStructure
    iv_dispersion: VolatilityDispersion
    model_free: ModelFreeVolatility
    gex_by_dte: List[TenorGex]
    theta_by_dte: List[TenorTheta]
    put_call_profile: PutCallProfile
    oi_concentration: OpenInterestConcentration
    hedging_scenarios: List[HedgingScenario]
    liquidity: AverageSpreads


class VolatilityDispersion(TypedDict):
    cross_expiry: Union[float, None]
    """percent; deviation of the fitted volatilities at the money, vol points"""
    cross_strike: Union[float, None]
    """percent; deviation over the smile of the nearest expiration, vol points"""


class VolatilityForecast(TypedDict):
    symbol: str
    """underlying ticker"""
    as_of: str
    """the close of the newest daily bar, UTC"""
    ewma: EwmaForecast
    har_rv: HarRvForecast
    garch: GarchForecast


class VolatilityRealized(TypedDict):
    symbol: str
    """underlying ticker"""
    as_of: str
    """the close of the newest daily bar, UTC"""
    underlying_price: float
    """price; that close"""
    estimators: RealizedEstimators


class VolatilitySkewTerm(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    expiries: List[ExpirationSkew]


class VolatilitySourceShares(TypedDict):
    own_mid: float
    """fraction; priced from its own quote"""
    twin: float
    """fraction; from the quote of the other option at its strike"""
    smile: float
    """fraction; from the smile, or interpolated between its neighbors"""


class VolatilitySpotVolCorrelation(TypedDict):
    symbol: str
    """underlying ticker"""
    as_of: str
    """the moment the answer describes, UTC; sessions before its date are read"""
    spot_vol_correlation_20d: Union[float, None]
    """ratio; over the last 20 pairs of consecutive sessions"""
    spot_vol_correlation_60d: Union[float, None]
    """ratio; over the last 60"""
    data_points_20d: int
    """count; 20, or 0 without a correlation"""
    data_points_60d: int
    """count; 60, or 0 without a correlation"""
    interpretation: str


class VolatilityTermStructure(TypedDict):
    near_slope_pct: Union[float, None]
    """percent; 30 days over 7 days"""
    far_slope_pct: Union[float, None]
    """percent; 90 days over 30 days"""
    state: Literal["contango", "backwardation", "mixed", "unknown"]


class Vrp(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    market_open: bool
    """whether the regular session was in progress at as_of"""
    vrp: VrpCore
    variance_risk_premium: Union[float, None]
    """variance; atm_iv squared minus rv_20d squared, as fractions"""
    convexity_premium: Union[float, None]
    """percent; fair_vol minus atm_iv, vol points"""
    fair_vol: Union[float, None]
    """percent; of a variance swap on the reference expiration"""
    directional: VrpDirectional
    term_vrp: List[TenorVrp]
    gex_conditioned: GexConditioned
    vanna_conditioned: VannaConditioned
    reading: Reading
    regime: VrpRegime
    strategy_scores: Union[VrpStrategyScores, None]
    net_harvest_score: Union[int, None]
    """score-0-100; premium, its rank and its setting in one figure"""
    dealer_flow_risk: Union[int, None]
    """score-0-100; below 30 benign, above 70 hostile to short volatility"""
    warnings: List[Literal["event_risk", "negative_gamma", "poor_wing_liquidity", "term_inversion", "credit_stress", "extreme_vrp", "insufficient_history_for_zscore"]]
    macro: VrpMacro


class VrpCore(TypedDict):
    atm_iv: Union[float, None]
    """percent; at the forward of the reference expiration"""
    atm_iv_30d: Union[float, None]
    """percent; at the forward, constant maturity of 30 days"""
    rv_5d: Union[float, None]
    """percent; close to close over the last 5 returns"""
    rv_10d: Union[float, None]
    """percent"""
    rv_20d: Union[float, None]
    """percent"""
    rv_30d: Union[float, None]
    """percent"""
    vrp_5d: Union[float, None]
    """percent; atm_iv minus rv_5d, vol points"""
    vrp_10d: Union[float, None]
    """percent"""
    vrp_20d: Union[float, None]
    """percent"""
    vrp_30d: Union[float, None]
    """percent"""
    z_score: Union[float, None]
    """sigmas; of vrp_20d among previous sessions"""
    percentile: Union[int, None]
    """score-0-100; of vrp_20d among them"""
    history_days: int
    """days; sessions in the comparison, 60 at most"""


class VrpDay(TypedDict):
    date: str
    spot: float
    """price; close"""
    atm_iv: Union[float, None]
    """percent; at the forward of the reference expiration"""
    atm_iv_30d: Union[float, None]
    """percent; at the forward, constant maturity of 30 days"""
    rv_5d: Union[float, None]
    """percent; close to close over the last 5 returns"""
    rv_10d: Union[float, None]
    """percent"""
    rv_20d: Union[float, None]
    """percent"""
    rv_30d: Union[float, None]
    """percent"""
    vrp_20d: Union[float, None]
    """percent; atm_iv minus rv_20d, vol points"""
    straddle: Union[float, None]
    """price; call mid plus put mid at the strike nearest to spot, reference expiration"""
    expected_move_1d: Union[float, None]
    """price; spot times atm_iv times the root of 1/252"""


class VrpDirectional(TypedDict):
    put_wing_iv_25d: Union[float, None]
    """percent; 25 delta, reference expiration"""
    call_wing_iv_25d: Union[float, None]
    """percent"""
    downside_rv_20d: Union[float, None]
    """percent; semi-deviation of falling days, doubled"""
    upside_rv_20d: Union[float, None]
    """percent; of rising days"""
    downside_vrp: Union[float, None]
    """percent; put_wing_iv_25d minus downside_rv_20d, vol points"""
    upside_vrp: Union[float, None]
    """percent"""


class VrpHistory(TypedDict):
    symbol: str
    """underlying ticker"""
    days: int
    """days; looked back"""
    data_points: int
    """count; rows"""
    history: List[VrpDay]


class VrpMacro(TypedDict):
    vix: Union[float, None]
    """index-points"""
    vix_3m: Union[float, None]
    """index-points"""
    vix_term_slope: Union[float, None]
    """ratio; vix_3m over vix"""
    dgs10: Union[float, None]
    """percent; 10-year Treasury yield"""
    hy_spread: Union[float, None]
    """percent; option-adjusted spread of high-yield bonds"""
    fed_funds: Union[float, None]
    """percent"""


class VrpRegime(TypedDict):
    gamma: Literal["positive_gamma", "negative_gamma", "unknown"]
    vrp_regime: Union[Literal["harvestable", "event_only", "toxic_short_vol", "cheap_convexity", "surface_distorted", "fair_value"], None]
    net_gex: Union[float, None]
    """usd-notional; full chain, USD of delta gained per 1 % move of spot"""
    gamma_flip: Union[float, None]
    """price"""


class VrpStrategyScores(TypedDict):
    short_put_spread: Union[int, None]
    """score-0-100"""
    short_strangle: Union[int, None]
    """score-0-100"""
    iron_condor: Union[int, None]
    """score-0-100"""
    calendar_spread: Union[int, None]
    """score-0-100"""


class WallProbabilities(TypedDict):
    call: List[WallProbability]
    put: List[WallProbability]


class WallProbability(TypedDict):
    strike: float
    """price"""
    probability: float
    """fraction; of the draws"""


class Webhook(TypedDict):
    url: str


class WindowVolatilities(TypedDict):
    rv10: Union[float, None]
    """percent; over the last 10 trading days"""
    rv20: Union[float, None]
    """percent"""
    rv30: Union[float, None]
    """percent"""


class YieldEnhancementMetrics(TypedDict):
    structure: Union[Literal["covered_call", "cash_secured_put"], None]
    strike: Union[float, None]
    """price"""
    delta: Union[float, None]
    """ratio; of the option itself"""
    premium: Union[float, None]
    """usd; mid, per share"""
    annualized_yield_pct: Union[float, None]
    """percent; premium a year of the capital that is tied up"""
    assignment_probability: Union[float, None]
    """fraction; risk-neutral"""
    upside_surrender_pct: Union[float, None]
    """percent; from spot to the strike of a call: gains beyond are given up"""
    dte: Union[int, None]
    """days"""
    earnings_before_expiry: Union[bool, None]
    """null without an earnings calendar"""
    ex_dividend_risk: Union[bool, None]
    """null while no dividends of the underlying are known"""
    dividends: Union[List[ExpectedDividend], None]
    """those known to go ex by the expiration; null while no dividends of the underlying are known"""
    breakeven_price: Union[float, None]
    """price"""
    iv_rank_30d: Union[float, None]
    """percent; within the range of the last 30 stored sessions"""
    roll_candidate: Union[RollCandidate, None]
    next_earnings_date: Union[str, None]
    days_to_next_earnings: Union[int, None]
    """days"""
    underlying_price: float
    """price"""


class ZeroDteAnalytics(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    dealer_model: NotRequired[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]]
    market_open: bool
    expiration: str
    expired: bool
    """whether the last contract of this expiration has ended: from then on exposures are 0, and only open interest, volume, quotes and max pain remain"""
    time_to_close_hours: float
    """hours; hours of session until the expiration closes"""
    time_to_close_pct: float
    """percent; share of the current trading day elapsed"""
    reading: Reading
    regime: ZeroDteRegime
    exposures: ZeroDteExposures
    expected_move: ZeroDteExpectedMove
    pin_risk: ZeroDtePinRisk
    hedging: ZeroDteHedges
    decay: ZeroDteDecay
    vol_context: ZeroDteVolatility
    flow: ZeroDteFlow
    levels: ZeroDteLevels
    liquidity: ZeroDteLiquidity
    metadata: ZeroDteMetadata
    strikes: List[ZeroDteStrikeRow]
    greeks_note: NotRequired[str]
    """on the last day, what the theta of strikes[] means"""
    warnings: NotRequired[List[str]]


class ZeroDteDecay(TypedDict):
    net_theta_dollars: Union[float, None]
    """usd; holder side: to the close where the expiration is today, else per calendar day"""
    theta_per_hour_remaining: Union[float, None]
    """usd; net_theta_dollars over the hours left"""
    charm_regime: Literal["time_decay_dealers_buy", "time_decay_dealers_sell", "neutral"]
    charm_description: str
    gamma_acceleration: Union[float, None]
    """ratio; at-the-money gamma over that of the seven-day expiration"""
    description: str


class ZeroDteExpectedMove(TypedDict):
    implied_1sd_dollars: Union[float, None]
    """usd; one deviation over a full trading day"""
    implied_1sd_pct: Union[float, None]
    """percent"""
    remaining_1sd_dollars: Union[float, None]
    """usd; one deviation until this expiration"""
    remaining_1sd_pct: Union[float, None]
    """percent"""
    upper_bound: Union[float, None]
    """usd; one deviation of the logarithm above spot"""
    lower_bound: Union[float, None]
    """usd; one deviation of the logarithm below spot"""
    straddle_price: Union[float, None]
    """usd"""
    atm_iv: Union[float, None]
    """fraction; a fraction"""


class ZeroDteExposures(TypedDict):
    net_gex: float
    """usd-notional; USD of delta gained per 1 % move of spot"""
    net_dex: float
    """usd-notional; USD delta of the option holders"""
    net_vex: float
    """usd-notional; USD of delta gained per +1.00 of volatility"""
    net_chex: float
    """usd-notional; USD of delta gained per calendar day passing; of contracts that expire today, to their expiry"""
    net_vex_per_point: float
    """usd-notional; USD of delta gained per volatility point: net_vex / 100"""
    pct_of_total_gex: Union[float, None]
    """percent; 100 |net of this expiration| / |full-chain net|; may exceed 100"""
    pct_of_gross_gex: Union[float, None]
    """percent; share of the gross gamma of all contracts, 0 to 100"""
    total_chain_net_gex: float
    """usd-notional"""


class ZeroDteFlow(TypedDict):
    total_volume: int
    """contracts"""
    call_volume: int
    """contracts"""
    put_volume: int
    """contracts"""
    net_call_minus_put_volume: int
    """contracts"""
    total_oi: int
    """contracts"""
    call_oi: int
    """contracts"""
    put_oi: int
    """contracts"""
    pc_ratio_volume: Union[float, None]
    """ratio"""
    pc_ratio_oi: Union[float, None]
    """ratio"""
    volume_to_oi_ratio: Union[float, None]
    """ratio"""
    atm_volume_share_pct: Union[float, None]
    """percent; share of volume within half a percent of spot"""
    top3_strike_volume_pct: Union[float, None]
    """percent; share of the three busiest strikes"""


class ZeroDteFlowDirection(TypedDict):
    label: Literal["no_flow", "neutral", "amplifying", "dampening", "regime_flip"]
    settled_net_gex: float
    """usd-notional; on official open interest, USD of delta gained per 1 % move of spot"""
    live_net_gex: float
    """usd-notional; on effective open interest"""
    flow_gex_adjustment: float
    """usd-notional; live - settled"""
    flow_gex_pct_shift: Union[float, None]
    """fraction; flow_gex_adjustment / settled; null where only that is 0"""
    contracts_with_flow: int
    """count; option series whose open interest the session's flow is estimated to have changed"""
    total_abs_delta_contracts: int
    """contracts; sum of |effective - official| over the contracts"""
    description: str


class ZeroDteHedge(TypedDict):
    dealer_shares_to_trade: int
    """shares; signed: dealers buy when positive"""
    direction: Literal["buy", "sell"]
    notional_usd: float
    """usd; signed like the shares"""


class ZeroDteHedges(TypedDict):
    spot_up_10bp: ZeroDteHedge
    spot_down_10bp: ZeroDteHedge
    spot_up_25bp: ZeroDteHedge
    spot_down_25bp: ZeroDteHedge
    spot_up_half_pct: ZeroDteHedge
    spot_down_half_pct: ZeroDteHedge
    spot_up_1pct: ZeroDteHedge
    spot_down_1pct: ZeroDteHedge
    convexity_at_spot: Union[float, None]
    """usd-notional per dollar^2; how sharply net gamma bends at spot"""


class ZeroDteLeader(TypedDict):
    rank: int
    """count; 1 is the highest"""
    symbol: str
    value: float
    """by the metric; a ratio for heat, a score for pin_risk, else USD"""


class ZeroDteLevels(TypedDict):
    call_wall: Union[float, None]
    """price"""
    call_wall_gex: Union[float, None]
    """usd-notional"""
    call_wall_strength: Union[float, None]
    """fraction; of all call gamma"""
    distance_to_call_wall_pct: Union[float, None]
    """percent; signed, 100 (wall - spot) / spot"""
    put_wall: Union[float, None]
    """price"""
    put_wall_gex: Union[float, None]
    """usd-notional; 0 or less"""
    put_wall_strength: Union[float, None]
    """fraction; of all put gamma"""
    distance_to_put_wall_pct: Union[float, None]
    """percent; signed"""
    distance_to_magnet_dollars: Union[float, None]
    """usd"""
    highest_oi_strike: Union[float, None]
    """price"""
    highest_oi_total: Union[int, None]
    """contracts"""
    max_positive_gamma: Union[float, None]
    """price"""
    max_negative_gamma: Union[float, None]
    """price"""
    level_cluster_score: Union[int, None]
    """score-0-100; how closely the levels agree, in moves of a day"""


class ZeroDteLiquidity(TypedDict):
    atm_spread_pct: Union[float, None]
    """percent"""
    weighted_spread_pct: Union[float, None]
    """percent; by open interest, within strike_range"""
    execution_score: Union[int, None]
    """score-0-100"""


class ZeroDteMetadata(TypedDict):
    snapshot_age_seconds: Union[float, None]
    """seconds; how far the source runs behind the market"""
    chain_contract_count: int
    """contracts"""
    data_quality_score: Union[int, None]
    """score-0-100"""
    greek_smoothness_score: Union[int, None]
    """score-0-100"""


class ZeroDtePinRisk(TypedDict):
    magnet_strike: Union[float, None]
    """price"""
    magnet_gex: Union[float, None]
    """usd-notional"""
    distance_to_magnet_pct: Union[float, None]
    """percent"""
    pin_score: int
    """score-0-100"""
    components: PinRiskScores
    max_pain: Union[float, None]
    """price"""
    oi_concentration_top3_pct: Union[float, None]
    """percent"""
    description: str


class ZeroDteRegime(TypedDict):
    label: Literal["positive_gamma", "negative_gamma", "undetermined"]
    description: str
    gamma_flip: Union[float, None]
    """price"""
    spot_vs_flip: Union[Literal["above", "below"], None]
    spot_to_flip_pct: Union[float, None]
    """percent; 100 (spot - flip) / spot"""
    distance_to_flip_dollars: Union[float, None]
    """usd"""
    distance_to_flip_sigmas: Union[float, None]
    """sigmas; in remaining one-deviation moves, of a full day once the market is closed"""


class ZeroDteSeriesBar(TypedDict):
    t: str
    """the beginning of the bar"""
    spot: float
    """price"""
    net_gex: float
    """usd-notional; USD per 1 % move of spot"""
    net_dex: float
    """usd-notional"""
    gamma_flip: Union[float, None]
    """price"""
    call_wall: Union[float, None]
    """price"""
    put_wall: Union[float, None]
    """price"""
    magnet: Union[float, None]
    """price; strike with the largest net gamma by size"""
    pin_score: int
    """score-0-100"""
    pin_probability_pct: Union[float, None]
    """percent; that the close lies within 0.25 % of the magnet"""
    regime: Literal["positive_gamma", "negative_gamma", "undetermined"]
    atm_iv: Union[float, None]
    """fraction; a fraction"""
    charm_dollars_per_hour: Union[float, None]
    """usd; delta gained to the close over the hours of session left"""
    hedge_flow_call_cumulative: float
    """usd; running since the open; positive where dealers buy the underlying"""
    hedge_flow_put_cumulative: float
    """usd; running since the open"""
    hedge_flow_cumulative_all: float
    """usd; both legs"""


class ZeroDteShare(TypedDict):
    net_gex: float
    """usd-notional"""
    pct_of_total_gex: Union[float, None]
    """percent; 100 |same-day net| / |full-chain net|; may exceed 100"""
    pct_of_gross_gex: Union[float, None]
    """percent; share of the gross gamma of all contracts, 0 to 100"""
    expiration: Union[str, None]
    """today, or null when nothing live expires today"""


class ZeroDteSnapshotAnalytics(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    market_open: bool
    expiration: str
    expired: bool
    """whether the last contract of this expiration has ended: from then on exposures are 0, and only open interest, volume, quotes and max pain remain"""
    time_to_close_hours: float
    """hours; hours of session until the expiration closes"""
    time_to_close_pct: float
    """percent; share of the current trading day elapsed"""
    reading: Reading
    regime: ZeroDteRegime
    exposures: ZeroDteExposures
    expected_move: ZeroDteExpectedMove
    pin_risk: ZeroDtePinRisk
    hedging: ZeroDteHedges
    decay: ZeroDteDecay
    vol_context: ZeroDteVolatility
    flow: ZeroDteFlow
    levels: ZeroDteLevels
    liquidity: ZeroDteLiquidity
    metadata: ZeroDteMetadata
    strikes: List[ZeroDteStrikeRow]
    greeks_note: NotRequired[str]
    """on the last day, what the theta of strikes[] means"""
    warnings: NotRequired[List[str]]
    flow_direction: ZeroDteFlowDirection


class ZeroDteSnapshotNone(TypedDict):
    symbol: str
    """underlying ticker"""
    underlying_price: float
    """price; midpoint of the underlying quote, its last price where a side is missing"""
    as_of: str
    """the moment the answer describes, UTC"""
    market_open: bool
    expiration: Union[str, None]
    no_zero_dte: Literal[True]
    message: str
    next_zero_dte_expiry: Union[str, None]
    """next listed expiration"""


class ZeroDteStrategyMetrics(TypedDict):
    max_pain_strike: Union[float, None]
    """price; strike at which option holders are paid least"""
    distance_to_pain_pct: Union[float, None]
    """percent; of spot, unsigned"""
    oi_concentration_score: Union[int, None]
    """score-0-100; of the three largest strikes"""
    total_open_interest: Union[int, None]
    """contracts"""
    gamma_flip: Union[float, None]
    """price"""
    call_wall: Union[float, None]
    """price"""
    put_wall: Union[float, None]
    """price"""
    distance_to_flip_pct: Union[float, None]
    """percent; spot minus flip, of spot"""
    spot_position_label: Union[Literal["above_call_wall", "below_put_wall", "between_walls_above_flip", "between_walls_below_flip", "unknown"], None]
    minutes_to_close: Union[int, None]
    """count; whole minutes"""
    session_open_spot: Union[float, None]
    """price; first print of the stock; null before the open and without a tape"""
    expected_move_today: Union[float, None]
    """usd; one deviation of a full day, per share"""
    expected_move_consumed_pct: Union[float, None]
    """percent; share of the expected move, from the open to spot"""
    theta_acceleration: Union[float, None]
    """ratio; current decay relative to that at the open"""
    underlying_price: float
    """price"""


class ZeroDteStrikeRow(TypedDict):
    strike: float
    """price"""
    distance_from_spot_pct: float
    """percent; signed, 100 (strike - spot) / spot"""
    call_symbol: Union[str, None]
    put_symbol: Union[str, None]
    call_gex: float
    """usd-notional"""
    put_gex: float
    """usd-notional"""
    net_gex: float
    """usd-notional"""
    call_dex: float
    """usd-notional"""
    put_dex: float
    """usd-notional"""
    net_dex: float
    """usd-notional"""
    net_vex: float
    """usd-notional"""
    net_chex: float
    """usd-notional"""
    call_oi: int
    """contracts"""
    put_oi: int
    """contracts"""
    call_volume: int
    """contracts"""
    put_volume: int
    """contracts"""
    gex_share_pct: Union[float, None]
    """percent"""
    oi_share_pct: Union[float, None]
    """percent"""
    volume_share_pct: Union[float, None]
    """percent"""
    call_iv: Union[float, None]
    """fraction"""
    put_iv: Union[float, None]
    """fraction"""
    call_delta: Union[float, None]
    """greek"""
    put_delta: Union[float, None]
    """greek"""
    call_gamma: Union[float, None]
    """greek"""
    put_gamma: Union[float, None]
    """greek"""
    call_theta: Union[float, None]
    """greek; USD per calendar day, which is not left of an expiration of today"""
    put_theta: Union[float, None]
    """greek; USD per calendar day, which is not left of an expiration of today"""
    call_mid: Union[float, None]
    """price"""
    put_mid: Union[float, None]
    """price"""
    call_spread_pct: Union[float, None]
    """percent; of mid"""
    put_spread_pct: Union[float, None]
    """percent; of mid"""


class ZeroDteVolatility(TypedDict):
    zero_dte_atm_iv: Union[float, None]
    """percent"""
    seven_dte_atm_iv: Union[float, None]
    """percent"""
    iv_ratio_0dte_7dte: Union[float, None]
    """ratio"""
    vix: Union[float, None]
    """index-points"""
    skew_25d: Union[float, None]
    """percent; put minus call volatility at 25 delta, vol points"""
    vanna_exposure: float
    """usd-notional"""
    vanna_interpretation: Literal["vol_up_dealers_buy", "vol_up_dealers_sell", "neutral"]
    description: str


ExposureZeroDte = Union[ZeroDteAnalytics, NoZeroDte]


FlowZeroDteSnapshot = Union[ZeroDteSnapshotAnalytics, ZeroDteSnapshotNone, SessionClosed]


Optionquote = Union[ContractQuote, List[ContractQuote]]
