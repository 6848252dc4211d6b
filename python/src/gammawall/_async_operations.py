"""Made from the declarations of the service by `npm run docs`; do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, Optional, Union

from ._hosts import Moment, Text
from ._operation import AsyncCall, AsyncGroup, Operation, RowArray
from .answer import Answer

if TYPE_CHECKING:
    from ._types import *


class AsyncSystem(AsyncGroup):
    async def get_health(self) -> "Answer[Health]":
        """State of every component, and the worst state overall"""
        return await self._call(Operation("GET", "/health", False, (RowArray("checks", None),)), {}, None, None)

    async def get_livez(self) -> "Answer[Any]":
        """Whether the process answers"""
        return await self._call(Operation("GET", "/livez", False), {}, None, None)

    async def get_readyz(self) -> "Answer[Any]":
        """Whether the service can answer requests"""
        return await self._call(Operation("GET", "/readyz", False), {}, None, None)

    async def get_openapi(self) -> "Answer[Dict[str, Any]]":
        """This document"""
        return await self._call(Operation("GET", "/openapi.json", False), {}, None, None)


class AsyncAdmin(AsyncGroup):
    async def list_users(self, *, limit: Optional[int] = None, offset: Optional[int] = None) -> "Answer[ListUsersAnswer]":
        """The users, by email

        limit: a whole number of rows
        offset: a whole number of rows to skip
        """
        return await self._call(Operation("GET", "/v1/admin/users", False, (RowArray("users", None),)), {"limit": limit, "offset": offset}, None, None)

    async def create_user(self, body: "NewUser") -> "Answer[User]":
        """Makes a user without a key"""
        return await self._call(Operation("POST", "/v1/admin/users", False), {}, body, None)

    async def get_user(self, id: Text) -> "Answer[User]":
        """A user and today's requests

        id: the id of one that exists
        """
        return await self._call(Operation("GET", "/v1/admin/users/{id}", False), {"id": id}, None, None)

    async def change_user(self, id: Text, body: "UserChange") -> "Answer[User]":
        """Moves a user to another plan, or changes the day the subscription began

        id: the id of one that exists
        """
        return await self._call(Operation("PATCH", "/v1/admin/users/{id}", False), {"id": id}, body, None)

    async def remove_user(self, id: Text) -> "Answer[User]":
        """Removes a user with every key and count

        id: the id of one that exists
        """
        return await self._call(Operation("DELETE", "/v1/admin/users/{id}", False), {"id": id}, None, None)

    async def list_keys(self, id: Text) -> "Answer[ListKeysAnswer]":
        """The keys of a user, revoked ones too, in the order they were made

        id: the id of one that exists
        """
        return await self._call(Operation("GET", "/v1/admin/users/{id}/keys", False, (RowArray("keys", None),)), {"id": id}, None, None)

    async def create_key(self, id: Text, body: "NewKey") -> "Answer[IssuedKey]":
        """Makes a key, which is shown in this answer and never again

        id: the id of one that exists
        """
        return await self._call(Operation("POST", "/v1/admin/users/{id}/keys", False), {"id": id}, body, None)

    async def rotate_key(self, id: Text, body: "KeyRotation") -> "Answer[RotatedKey]":
        """Makes a key in place of another one, which goes on working for a day; it is shown in this answer alone

        id: the id of one that exists
        """
        return await self._call(Operation("POST", "/v1/admin/keys/{id}/rotate", False), {"id": id}, body, None)

    async def revoke_key(self, id: Text) -> "Answer[Key]":
        """Ends a key; one that was ended before stays as it is

        id: the id of one that exists
        """
        return await self._call(Operation("DELETE", "/v1/admin/keys/{id}", False), {"id": id}, None, None)

    async def list_bundles(self, *, limit: Optional[int] = None, offset: Optional[int] = None) -> "Answer[ListBundlesAnswer]":
        """The streaming bundles, ended ones too, by email of their user

        limit: a whole number of rows
        offset: a whole number of rows to skip
        """
        return await self._call(Operation("GET", "/v1/admin/bundles", False, (RowArray("bundles", None),)), {"limit": limit, "offset": offset}, None, None)

    async def grant_bundle(self, id: Text, body: "NewBundle") -> "Answer[Bundle]":
        """Lets a user listen to the stream, or changes the terms of one who may

        id: the id of one that exists
        """
        return await self._call(Operation("PUT", "/v1/admin/users/{id}/bundle", False), {"id": id}, body, None)

    async def revoke_bundle(self, id: Text) -> "Answer[Bundle]":
        """Ends the streaming of a user; open connections are closed

        id: the id of one that exists
        """
        return await self._call(Operation("DELETE", "/v1/admin/users/{id}/bundle", False), {"id": id}, None, None)

    async def list_doubts(self) -> "Answer[ListDoubtsAnswer]":
        """What is doubted of symbols and held back, the longest first"""
        return await self._call(Operation("GET", "/v1/admin/doubts", False, (RowArray("doubts", None),)), {}, None, None)

    async def accept_doubted(self, symbol: Text) -> "Answer[SourceDoubt]":
        """Takes what the source says of a symbol in spite of the doubt, until the day ends in New York

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("POST", "/v1/admin/symbols/{symbol}/accept", False), {"symbol": symbol}, None, None)

    async def list_audit(self, *, limit: Optional[int] = None, offset: Optional[int] = None) -> "Answer[ListAuditAnswer]":
        """What was changed and by whom, newest first

        limit: a whole number of rows
        offset: a whole number of rows to skip
        """
        return await self._call(Operation("GET", "/v1/admin/audit", False, (RowArray("entries", None),)), {"limit": limit, "offset": offset}, None, None)

    async def list_plans(self) -> "Answer[ListPlansAnswer]":
        """The plans that are sold, least first"""
        return await self._call(Operation("GET", "/v1/admin/plans", False, (RowArray("plans", None),)), {}, None, None)

    async def reload_settings(self) -> "Answer[ReloadSettingsAnswer]":
        """Reads plans, presets and log level anew; a file with a mistake changes nothing"""
        return await self._call(Operation("POST", "/v1/admin/reload", False), {}, None, None)


class AsyncAlerts(AsyncGroup):
    async def list_alerts(self) -> "Answer[ListAlertsAnswer]":
        """The alerts of the caller, in the order they were made"""
        return await self._call(Operation("GET", "/v1/alerts", False, (RowArray("alerts", None),)), {}, None, None)

    async def create_alert(self, body: "NewAlert") -> "Answer[MadeAlert]":
        """Makes an alert on a metric of the stream; a new webhook has its secret in this answer and never again"""
        return await self._call(Operation("POST", "/v1/alerts", False), {}, body, None)

    async def list_alert_events(self, *, alert: Optional[Text] = None, limit: Optional[int] = None, offset: Optional[int] = None) -> "Answer[ListAlertEventsAnswer]":
        """What fired in the last 30 days and how far its delivery is, newest first

        alert: the id of one alert; default: all of them
        limit: a whole number of rows
        offset: a whole number of rows to skip
        """
        return await self._call(Operation("GET", "/v1/alerts/events", False, (RowArray("events", None),)), {"alert": alert, "limit": limit, "offset": offset}, None, None)

    async def list_browsers(self) -> "Answer[ListBrowsersAnswer]":
        """The browsers that are told of what fires while no page is open, and the key with which one subscribes"""
        return await self._call(Operation("GET", "/v1/alerts/browsers", False, (RowArray("browsers", None),)), {}, None, None)

    async def add_browser(self, body: "NewBrowser") -> "Answer[ToldBrowser]":
        """Tells a browser of whatever fires from now on, by Web Push"""
        return await self._call(Operation("POST", "/v1/alerts/browsers", False), {}, body, None)

    async def remove_browser(self, id: Text) -> "Answer[ToldBrowser]":
        """Tells a browser of no alerts any more

        id: the id of a browser of the caller
        """
        return await self._call(Operation("DELETE", "/v1/alerts/browsers/{id}", False), {"id": id}, None, None)

    async def test_browser(self, id: Text, body: "Optional[NoFields]" = None) -> "Answer[TestAlertAnswer]":
        """Sends a test to a browser now, and says what its push service answered

        id: the id of a browser of the caller
        """
        return await self._call(Operation("POST", "/v1/alerts/browsers/{id}/test", False), {"id": id}, body, None)

    async def get_alert(self, id: Text) -> "Answer[Alert]":
        """An alert of the caller

        id: the id of an alert of the caller
        """
        return await self._call(Operation("GET", "/v1/alerts/{id}", False), {"id": id}, None, None)

    async def change_alert(self, id: Text, body: "AlertChange") -> "Answer[MadeAlert]":
        """Changes, pauses or arms an alert; one that is armed, or compared otherwise, begins anew

        id: the id of an alert of the caller
        """
        return await self._call(Operation("PATCH", "/v1/alerts/{id}", False), {"id": id}, body, None)

    async def remove_alert(self, id: Text) -> "Answer[Alert]":
        """Removes an alert with what it fired; what was not delivered yet is not any more

        id: the id of an alert of the caller
        """
        return await self._call(Operation("DELETE", "/v1/alerts/{id}", False), {"id": id}, None, None)

    async def test_alert(self, id: Text, body: "Optional[NoFields]" = None) -> "Answer[TestAlertAnswer]":
        """Sends a signed test to the webhook of an alert now, and says what came back

        id: the id of an alert of the caller
        """
        return await self._call(Operation("POST", "/v1/alerts/{id}/test", False), {"id": id}, body, None)

    async def rotate_alert_secret(self, id: Text, body: "Optional[NoFields]" = None) -> "Answer[RotateAlertSecretAnswer]":
        """Makes a new secret for the webhook of an alert, shown in this answer alone; the old one signs for a day too

        id: the id of an alert of the caller
        """
        return await self._call(Operation("POST", "/v1/alerts/{id}/secret", False), {"id": id}, body, None)


class AsyncDocuments(AsyncGroup):
    async def list_documents(self, kind: Literal["layouts", "watchlists", "settings"]) -> "Answer[ListDocumentsAnswer]":
        """What the caller keeps of one kind, by name

        kind: what is kept: arrangements of panels, lists of symbols, or settings
        """
        return await self._call(Operation("GET", "/v1/me/{kind}", False, (RowArray("documents", None),)), {"kind": kind}, None, None)

    async def get_document(self, kind: Literal["layouts", "watchlists", "settings"], id: Text) -> "Answer[UserDocument]":
        """A document of the caller

        kind: what is kept: arrangements of panels, lists of symbols, or settings
        id: a name of small letters, digits and hyphens
        """
        return await self._call(Operation("GET", "/v1/me/{kind}/{id}", False), {"kind": kind, "id": id}, None, None)

    async def put_document(self, kind: Literal["layouts", "watchlists", "settings"], id: Text, body: "Dict[str, Any]") -> "Answer[UserDocument]":
        """Keeps a JSON object of at most 64 KB under a name, in place of what was there

        kind: what is kept: arrangements of panels, lists of symbols, or settings
        id: a name of small letters, digits and hyphens
        """
        return await self._call(Operation("PUT", "/v1/me/{kind}/{id}", False), {"kind": kind, "id": id}, body, None)

    async def remove_document(self, kind: Literal["layouts", "watchlists", "settings"], id: Text) -> "Answer[UserDocument]":
        """Removes a document of the caller

        kind: what is kept: arrangements of panels, lists of symbols, or settings
        id: a name of small letters, digits and hyphens
        """
        return await self._call(Operation("DELETE", "/v1/me/{kind}/{id}", False), {"kind": kind, "id": id}, None, None)


class AsyncReference(AsyncGroup):
    async def get_stream_catalog(self, *, prefix: Optional[Text] = None, value_type: Optional[Literal["number", "string", "boolean", "object", "array"]] = None, page: Optional[float] = None) -> "Answer[StreamCatalog]":
        """Every metric of the stream

        prefix: how the id begins
        value_type: one of number, string, boolean, object, array
        page: a whole number from 1
        """
        return await self._call(Operation("GET", "/v1/stream/catalog", False, (RowArray("metrics", "id"),)), {"prefix": prefix, "value_type": value_type, "page": page}, None, None)


class AsyncAccount(AsyncGroup):
    async def create_stream_ticket(self) -> "Answer[StreamTicket]":
        """A ticket that opens one connection of the stream without a header, for browsers"""
        return await self._call(Operation("POST", "/v1/stream/ticket", False), {}, None, None)

    async def create_embed_token(self, body: "NewEmbedToken") -> "Answer[EmbedToken]":
        """A token that opens the answers of one panel about one symbol, counted against the key that asks"""
        return await self._call(Operation("POST", "/v1/embed/token", False), {}, body, None)

    async def __call__(self) -> "Answer[Account]":
        """Plan and quota of the caller"""
        return await self._call(Operation("GET", "/v1/account", False, (RowArray("usage_by_day", "date"),)), {}, None, None)


class AsyncStockquote(AsyncGroup):
    async def __call__(self, ticker: Text, *, at: Optional[Moment] = None) -> "Answer[Stockquote]":
        """Latest stock quote

        ticker: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/stockquote/{ticker}", True), {"ticker": ticker}, None, at)


class AsyncOptionquote(AsyncGroup):
    async def __call__(self, ticker: Text, *, expiry: Optional[Text] = None, strike: Optional[float] = None, type: Optional[Literal["c", "call", "p", "put"]] = None, at: Optional[Moment] = None) -> "Answer[Optionquote]":
        """Option quotes with greeks

        ticker: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd; expiration is read as the same
        strike: a number above 0
        type: C, Call, P or Put, in any case
        """
        return await self._call(Operation("GET", "/optionquote/{ticker}", True, (RowArray("", "occ_symbol"),)), {"ticker": ticker, "expiry": expiry, "strike": strike, "type": type}, None, at)


class AsyncMarket(AsyncGroup):
    async def session(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[MarketSession]":
        """Hours of the market of a symbol

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/market/session/{symbol}", True), {"symbol": symbol}, None, at)


class AsyncStock(AsyncGroup):
    async def summary(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[StockSummary]":
        """Price, volatility, flow, exposure and macro of one symbol in one answer

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/stock/{symbol}/summary", True, (RowArray("volatility.iv_term_structure", "expiry"), RowArray("exposure.top_strikes", "strike"),)), {"symbol": symbol}, None, at)


class AsyncExposure(AsyncGroup):
    async def gex(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, min_oi: Optional[int] = None, dealer_model: Optional[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]] = None, weight: Optional[Literal["oi", "volume", "effective"]] = None, at: Optional[Moment] = None) -> "Answer[ExposureGex]":
        """Gamma exposure by strike

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        min_oi: a whole number of contracts, 0 or more: strikes with less open interest, calls and puts together, are dropped
        dealer_model: convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it
        weight: oi, volume, effective: the contracts that are counted; oi without it
        """
        return await self._call(Operation("GET", "/v1/exposure/gex/{symbol}", True, (RowArray("strikes", "strike"),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "min_oi": min_oi, "dealer_model": dealer_model, "weight": weight}, None, at)

    async def dex(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, dealer_model: Optional[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]] = None, weight: Optional[Literal["oi", "volume", "effective"]] = None, at: Optional[Moment] = None) -> "Answer[ExposureDex]":
        """Delta exposure by strike

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        dealer_model: convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it
        weight: oi, volume, effective: the contracts that are counted; oi without it
        """
        return await self._call(Operation("GET", "/v1/exposure/dex/{symbol}", True, (RowArray("strikes", "strike"),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "dealer_model": dealer_model, "weight": weight}, None, at)

    async def vex(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, dealer_model: Optional[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]] = None, weight: Optional[Literal["oi", "volume", "effective"]] = None, at: Optional[Moment] = None) -> "Answer[ExposureVex]":
        """Vanna exposure by strike

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        dealer_model: convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it
        weight: oi, volume, effective: the contracts that are counted; oi without it
        """
        return await self._call(Operation("GET", "/v1/exposure/vex/{symbol}", True, (RowArray("strikes", "strike"),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "dealer_model": dealer_model, "weight": weight}, None, at)

    async def chex(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, dealer_model: Optional[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]] = None, weight: Optional[Literal["oi", "volume", "effective"]] = None, at: Optional[Moment] = None) -> "Answer[ExposureChex]":
        """Charm exposure by strike

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        dealer_model: convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it
        weight: oi, volume, effective: the contracts that are counted; oi without it
        """
        return await self._call(Operation("GET", "/v1/exposure/chex/{symbol}", True, (RowArray("strikes", "strike"),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "dealer_model": dealer_model, "weight": weight}, None, at)

    async def summary(self, symbol: Text, *, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, dealer_model: Optional[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]] = None, at: Optional[Moment] = None) -> "Answer[ExposureSummary]":
        """Net exposures, regime and hedging estimate of the full chain

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        dealer_model: convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it
        """
        return await self._call(Operation("GET", "/v1/exposure/summary/{symbol}", True), {"symbol": symbol, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "dealer_model": dealer_model}, None, at)

    async def levels(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, dealer_model: Optional[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]] = None, at: Optional[Moment] = None) -> "Answer[ExposureLevels]":
        """Key levels derived from exposure

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        dealer_model: convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it
        """
        return await self._call(Operation("GET", "/v1/exposure/levels/{symbol}", True), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "dealer_model": dealer_model}, None, at)

    async def narrative(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[ExposureNarrative]":
        """The exposure picture in sentences, with the numbers behind them

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/exposure/narrative/{symbol}", True, (RowArray("narrative.data.top_oi_changes", None),)), {"symbol": symbol}, None, at)

    async def zero_dte(self, symbol: Text, *, strike_range: Optional[float] = None, expiry: Optional[Text] = None, dealer_model: Optional[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]] = None, at: Optional[Moment] = None) -> "Answer[ExposureZeroDte]":
        """Same-day expiration analytics

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        strike_range: a number: half-width of strikes[] as a fraction of spot (values outside are moved to the nearest bound)
        expiry: a date, yyyy-MM-dd: another expiration than today; expiration is read as the same
        dealer_model: convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it
        """
        return await self._call(Operation("GET", "/v1/exposure/zero-dte/{symbol}", True, (RowArray("strikes", "strike"),)), {"symbol": symbol, "strike_range": strike_range, "expiry": expiry, "dealer_model": dealer_model}, None, at)

    async def history(self, symbol: Text, *, days: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[ExposureHistory]":
        """Daily exposure snapshots (announced but not available yet)

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        days: look-back in days, 1 to 365
        """
        return await self._call(Operation("GET", "/v1/exposure/history/{symbol}", True, (RowArray("snapshots", "date"),)), {"symbol": symbol, "days": days}, None, at)

    async def sheet(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, min_oi: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[ExposureSheet]":
        """All exposures per strike in one table, with totals, inflection strike and gamma peaks

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        min_oi: a whole number of contracts, 0 or more: strikes with less open interest, calls and puts together, are dropped
        """
        return await self._call(Operation("GET", "/v1/exposure/sheet/{symbol}", True, (RowArray("peaks", "strike"), RowArray("strikes", "strike"),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "min_oi": min_oi}, None, at)

    async def term_structure(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[ExposureTermStructure]":
        """Exposure by time to expiry

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/exposure/term-structure/{symbol}", True, (RowArray("by_dte_bucket", "bucket"), RowArray("by_expiry", "expiration"),)), {"symbol": symbol}, None, at)

    async def basket(self, *, symbols: Text, weights: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[ExposureBasket]":
        """Weighted exposure of several symbols

        symbols: comma-separated tickers, at most 50 different ones
        weights: comma-separated numbers of 0 or more
        """
        return await self._call(Operation("GET", "/v1/exposure/basket", True, (RowArray("constituents", "symbol"),)), {"symbols": symbols, "weights": weights}, None, at)

    async def oi_diff(self, symbol: Text, *, topN: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[ExposureOiDiff]":
        """Open-interest change against the previous trading day

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        topN: a whole number of rows to return (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/exposure/oi-diff/{symbol}", True, (RowArray("top_oi_changes", None),)), {"symbol": symbol, "topN": topN}, None, at)

    async def matrix(self, symbol: Text, *, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, metric: Optional[Literal["gex", "dex", "vex", "chex", "oi", "oi_change", "volume"]] = None, by: Optional[Literal["expiration", "time"]] = None, range_pct: Optional[float] = None, every: Optional[Literal["1m", "5m", "15m", "30m", "1h"]] = None, from_: Optional[Text] = None, date: Optional[Text] = None, dealer_model: Optional[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]] = None, at: Optional[Moment] = None) -> "Answer[ExposureMatrix]":
        """One exposure by strike and expiration, or by strike and time

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        metric: gex, dex, vex, chex, oi, oi_change, volume
        by: expiration or time
        range_pct: a number: strikes so near to the underlying price, percent (values outside are moved to the nearest bound)
        every: 1m, 5m, 15m, 30m or 1h: how close the columns are, by time only
        from_: a date, yyyy-MM-dd, not in the future: the first session of a matrix by time; without it date alone
        date: a date, yyyy-MM-dd, not in the future: the last session of a matrix by time
        dealer_model: convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it
        """
        return await self._call(Operation("GET", "/v1/exposure/matrix/{symbol}", True), {"symbol": symbol, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "metric": metric, "by": by, "range_pct": range_pct, "every": every, "from": from_, "date": date, "dealer_model": dealer_model}, None, at)

    async def profile(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, range_pct: Optional[float] = None, points: Optional[int] = None, when: Optional[Literal["now", "close", "next_open"]] = None, vol_shift: Optional[float] = None, dealer_model: Optional[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]] = None, weight: Optional[Literal["oi", "volume", "effective"]] = None, at: Optional[Moment] = None) -> "Answer[ExposureProfile]":
        """Net exposures over a range of spots, now and later

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        range_pct: a number: how far the spots reach to both sides, percent (values outside are moved to the nearest bound)
        points: a whole number of spots, an even one raised by one (values outside are moved to the nearest bound)
        when: now, close or next_open: the moment that the clock is moved to, the chain otherwise unchanged
        vol_shift: a number of vol points, added to every volatility (values outside are moved to the nearest bound)
        dealer_model: convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it
        weight: oi, volume, effective: the contracts that are counted; oi without it
        """
        return await self._call(Operation("GET", "/v1/exposure/profile/{symbol}", True, (RowArray("by_bucket", "bucket"),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "range_pct": range_pct, "points": points, "when": when, "vol_shift": vol_shift, "dealer_model": dealer_model, "weight": weight}, None, at)

    async def explain(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, metric: Optional[Literal["net_gex", "net_dex", "net_vex", "net_chex", "gamma_flip", "call_wall", "put_wall", "magnet", "max_pain"]] = None, top: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[ExposureExplain]":
        """What a number is based on

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        metric: net_gex, net_dex, net_vex, net_chex, gamma_flip, call_wall, put_wall, magnet, max_pain
        top: a whole number of rows of each list (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/exposure/explain/{symbol}", True, (RowArray("contributions.by_right", "right"), RowArray("contributions.by_expiration", "expiration"), RowArray("contributions.by_strike", "strike"), RowArray("candidates.rows", "strike"), RowArray("rests_on.left_out", "reason"), RowArray("contributions.by_contract", None), RowArray("crossings", None),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "metric": metric, "top": top}, None, at)

    async def attribution(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, since: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[ExposureAttribution]":
        """Why a net exposure changed

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        since: prior_close, open, or a New York moment, yyyy-MM-ddTHH:mm or yyyy-MM-ddTHH:mm:ss
        """
        return await self._call(Operation("GET", "/v1/exposure/attribution/{symbol}", True, (RowArray("top_expirations", "expiration"), RowArray("top_strikes", "strike"),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "since": since}, None, at)

    async def bands(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, sign_confidence: Optional[float] = None, at: Optional[Moment] = None) -> "Answer[ExposureBands]":
        """How certain the net exposures and levels are

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        sign_confidence: a number: the probability that the conventional side of a contract is right (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/exposure/bands/{symbol}", True, (RowArray("walls.call", "strike"), RowArray("walls.put", "strike"),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "sign_confidence": sign_confidence}, None, at)

    async def changes(self, symbol: Text, *, minutes: Optional[Text] = None, top: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[ExposureChanges]":
        """Largest changes of net gamma by strike over the last minutes

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        minutes: a list of 1 to 5 whole numbers from 1 to 30, comma separated: how far back each window reaches
        top: a whole number of strikes of each window (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/exposure/changes/{symbol}", True, (RowArray("windows", "minutes"),)), {"symbol": symbol, "minutes": minutes, "top": top}, None, at)

    async def higher(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, dealer_model: Optional[Literal["convention", "all_short", "index_overwriting", "tape", "open_close"]] = None, weight: Optional[Literal["oi", "volume", "effective"]] = None, at: Optional[Moment] = None) -> "Answer[ExposureHigher]":
        """Speed, zomma and vomma exposure by strike

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        dealer_model: convention, all_short, index_overwriting, tape, open_close: what dealers are taken to hold, the convention without it
        weight: oi, volume, effective: the contracts that are counted; oi without it
        """
        return await self._call(Operation("GET", "/v1/exposure/higher/{symbol}", True, (RowArray("strikes", "strike"),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "dealer_model": dealer_model, "weight": weight}, None, at)

    async def chart_levels(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, format: Optional[Literal["json", "csv", "pine", "pine6", "line", "thinkscript", "ninjatrader", "sierra"]] = None, as_: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[ExposureChartLevels]":
        """Key levels in the form that charting programs read

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        format: json, csv, pine, pine6, line, thinkscript, ninjatrader, sierra
        as_: another instrument on the same index: an index, a fund or a future
        """
        return await self._call(Operation("GET", "/v1/exposure/chart-levels/{symbol}", True, (RowArray("levels", "id"),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type, "format": format, "as": as_}, None, at)

    async def models(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[ExposureModels]":
        """The same exposures under other assumptions about who holds what

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        """
        return await self._call(Operation("GET", "/v1/exposure/models/{symbol}", True, (RowArray("customers.groups", "group"), RowArray("models", "id"),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type}, None, at)


class AsyncMaxpain(AsyncGroup):
    async def __call__(self, symbol: Text, *, expiration: Optional[Text] = None, expirations: Optional[Text] = None, dte_min: Optional[int] = None, dte_max: Optional[int] = None, expiry_type: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[Maxpain]":
        """Max pain with dealer overlay

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiration: a date, yyyy-MM-dd, or the word 0dte; expiry is read as the same
        expirations: a list of 1 to 60 dates, yyyy-MM-dd or the word 0dte, comma separated: their contracts together
        dte_min: a whole number of calendar days to expiration, 0 to 4000: expirations before are left out
        dte_max: a whole number of calendar days to expiration, 0 to 4000: later expirations are left out
        expiry_type: a list of 0dte, weekly, monthly, quarterly, eom, leaps, comma separated; today's expiration is 0dte alone
        """
        return await self._call(Operation("GET", "/v1/maxpain/{symbol}", True, (RowArray("pain_curve", "strike"), RowArray("oi_by_strike", "strike"), RowArray("max_pain_by_expiration", "expiration"),)), {"symbol": symbol, "expiration": expiration, "expirations": expirations, "dte_min": dte_min, "dte_max": dte_max, "expiry_type": expiry_type}, None, at)


class AsyncFlow(AsyncGroup):
    async def levels(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[FlowLevels]":
        """Gamma flip, walls and max pain on currently estimated positions

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/flow/levels/{symbol}", True), {"symbol": symbol, "expiry": expiry}, None, at)

    async def pin_risk(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[FlowPinRisk]":
        """Pin score on currently estimated positions, with the strike that pulls and its four parts

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/flow/pin-risk/{symbol}", True), {"symbol": symbol, "expiry": expiry}, None, at)

    async def summary(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[FlowSummary]":
        """How the session's flow changed what dealers hold, in one line

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/flow/summary/{symbol}", True), {"symbol": symbol, "expiry": expiry}, None, at)

    async def gex(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[FlowGex]":
        """Gamma exposure by strike on currently estimated positions

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/flow/gex/{symbol}", True, (RowArray("strikes", "strike"),)), {"symbol": symbol, "expiry": expiry}, None, at)

    async def dex(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[FlowDex]":
        """Delta exposure by strike on currently estimated positions

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/flow/dex/{symbol}", True, (RowArray("strikes", "strike"),)), {"symbol": symbol, "expiry": expiry}, None, at)

    async def dealer_risk(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[FlowDealerRisk]":
        """Dealer exposure on settled and on currently estimated positions, with the shift between them

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/flow/dealer-risk/{symbol}", True), {"symbol": symbol, "expiry": expiry}, None, at)

    async def oi(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[FlowOi]":
        """Official open interest, and the estimate after the session's flow

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/flow/oi/{symbol}", True), {"symbol": symbol, "expiry": expiry}, None, at)

    async def live(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[FlowLive]":
        """All headline figures on currently estimated positions in one answer

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/flow/live/{symbol}", True), {"symbol": symbol, "expiry": expiry}, None, at)

    async def hedge_flow(self, symbol: Text, *, bar: Optional[Literal["30s", "1m", "5m", "15m"]] = None, minutes: Optional[int] = None, scope: Optional[Literal["all", "0dte", "next", "rest"]] = None, measure: Optional[Literal["delta", "gamma", "vega"]] = None, split: Optional[Literal["none", "right", "expiry", "size"]] = None, at: Optional[Moment] = None) -> "Answer[FlowHedgeFlow]":
        """Estimated hedging pressure of all expirations, by bar and since the open

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        bar: the size of a bar: 30s, 1m, 5m or 15m
        minutes: minutes of the window, which ends now or with the session (values outside are moved to the nearest bound)
        scope: all expirations, those of the day (0dte), the next one, or the rest
        measure: delta, gamma or vega
        split: none, by right (calls, puts), by expiry (0dte, next, rest), or by size of print (small, medium, large)
        """
        return await self._call(Operation("GET", "/v1/flow/hedge-flow/{symbol}", True, (RowArray("totals", "key"), RowArray("bars", "t"),)), {"symbol": symbol, "bar": bar, "minutes": minutes, "scope": scope, "measure": measure, "split": split}, None, at)

    async def signals(self, symbol: Text, *, minScore: Optional[int] = None, intent: Optional[Literal["bullish", "bearish", "neutral"]] = None, structure: Optional[Literal["block", "sweep", "single"]] = None, windowMinutes: Optional[int] = None, limit: Optional[int] = None, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[FlowSignals]":
        """Large option prints and sweeps, scored

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        minScore: a whole number: the minimum score (values outside are moved to the nearest bound)
        intent: bullish, bearish or neutral
        structure: block, sweep or single, which is the structure of none
        windowMinutes: a whole number of minutes, closed hours included: how far before the current minute the feed begins (values outside are moved to the nearest bound)
        limit: a whole number of signals (values outside are moved to the nearest bound)
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/flow/signals/{symbol}", True, (RowArray("signals", None),)), {"symbol": symbol, "minScore": minScore, "intent": intent, "structure": structure, "windowMinutes": windowMinutes, "limit": limit, "expiry": expiry}, None, at)

    async def signals_summary(self, symbol: Text, *, windowMinutes: Optional[int] = None, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[FlowSignalsSummary]":
        """Premium of the scored prints by its likely intent

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        windowMinutes: a whole number of minutes, closed hours included: how far before the current minute the feed begins (values outside are moved to the nearest bound)
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/flow/signals/{symbol}/summary", True, (RowArray("top_signals", None),)), {"symbol": symbol, "windowMinutes": windowMinutes, "expiry": expiry}, None, at)

    async def zero_dte_snapshot(self, symbol: Text, *, expiry: Optional[Text] = None, strike_range: Optional[float] = None, at: Optional[Moment] = None) -> "Answer[FlowZeroDteSnapshot]":
        """Same-day expiration analytics on currently estimated positions

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        strike_range: a number: half-width of strikes[] as a fraction of spot (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/zero-dte/snapshot/{symbol}", True, (RowArray("strikes", "strike"),)), {"symbol": symbol, "expiry": expiry, "strike_range": strike_range}, None, at)

    async def zero_dte_series(self, symbol: Text, *, bar: Optional[Literal["30s", "1m", "5m", "15m"]] = None, minutes: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowZeroDteSeries]":
        """Figures of the contracts that expire that day, through the session

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        bar: the size of a bar: 30s, 1m, 5m or 15m
        minutes: minutes of the window, which ends now or with the session (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/zero-dte/series/{symbol}", True, (RowArray("bars", "t"),)), {"symbol": symbol, "bar": bar, "minutes": minutes}, None, at)

    async def zero_dte_hedge_flow(self, symbol: Text, *, bar: Optional[Literal["30s", "1m", "5m", "15m"]] = None, minutes: Optional[int] = None, side: Optional[Literal["all", "calls", "puts"]] = None, at: Optional[Moment] = None) -> "Answer[FlowZeroDteHedgeFlow]":
        """Estimated dealer hedging in contracts that expire that day, by bar and cumulative

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        bar: the size of a bar: 30s, 1m, 5m or 15m
        minutes: minutes of the window, which ends now or with the session (values outside are moved to the nearest bound)
        side: all, calls or puts
        """
        return await self._call(Operation("GET", "/v1/flow/zero-dte/hedge-flow/{symbol}", True, (RowArray("bars", "t"),)), {"symbol": symbol, "bar": bar, "minutes": minutes, "side": side}, None, at)

    async def zero_dte_heatmap(self, symbol: Text, *, bar: Optional[Literal["1m"]] = None, minutes: Optional[int] = None, metric: Optional[Literal["gex", "dex", "vex", "chex", "oi", "signed_flow"]] = None, mode: Optional[Literal["raw", "delta"]] = None, at: Optional[Moment] = None) -> "Answer[FlowZeroDteHeatmap]":
        """One figure of the contracts that expire that day, by strike and minute

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        bar: the size of a bar: 1m, the only one by strike
        minutes: minutes of the window, which ends now or with the session (values outside are moved to the nearest bound)
        metric: gex, dex, vex, chex, oi or signed_flow
        mode: raw, or delta: the change since the previous bar
        """
        return await self._call(Operation("GET", "/v1/flow/zero-dte/heatmap/{symbol}", True, (RowArray("gap_intervals", "start"), RowArray("bars", "t"),)), {"symbol": symbol, "bar": bar, "minutes": minutes, "metric": metric, "mode": mode}, None, at)

    async def zero_dte_strike_flow(self, symbol: Text, *, bar: Optional[Literal["1m"]] = None, minutes: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowZeroDteStrikeFlow]":
        """Signed flow of the contracts that expire that day, by strike and minute

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        bar: the size of a bar: 1m, the only one by strike
        minutes: minutes of the window, which ends now or with the session (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/zero-dte/strike-flow/{symbol}", True, (RowArray("gap_intervals", "start"), RowArray("bars", "t"),)), {"symbol": symbol, "bar": bar, "minutes": minutes}, None, at)

    async def zero_dte_leaderboard(self, *, metric: Optional[Literal["heat", "pin_risk", "abs_flow", "charm_intensity"]] = None, n: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowZeroDteLeaderboard]":
        """Symbols ranked by one figure of the contracts that expire that day

        metric: heat, pin_risk, abs_flow or charm_intensity
        n: symbols at most (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/zero-dte/leaderboard", True, (RowArray("entries", "symbol"),)), {"metric": metric, "n": n}, None, at)

    async def options_recent(self, symbol: Text, *, expiry: Optional[Text] = None, limit: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowOptionsRecent]":
        """Newest option prints of an underlying

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        limit: rows at most (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/options/{symbol}/recent", True, (RowArray("trades", None),)), {"symbol": symbol, "expiry": expiry, "limit": limit}, None, at)

    async def options_summary(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[FlowOptionsSummary]":
        """Session totals of the option tape

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/flow/options/{symbol}/summary", True), {"symbol": symbol, "expiry": expiry}, None, at)

    async def options_blocks(self, symbol: Text, *, expiry: Optional[Text] = None, minSize: Optional[int] = None, limit: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowOptionsBlocks]":
        """Large option prints

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        minSize: contracts that a print has at least (values outside are moved to the nearest bound)
        limit: rows at most (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/options/{symbol}/blocks", True, (RowArray("blocks", None),)), {"symbol": symbol, "expiry": expiry, "minSize": minSize, "limit": limit}, None, at)

    async def options_history(self, symbol: Text, *, expiry: Optional[Text] = None, minutes: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowOptionsHistory]":
        """Minute buckets of the option tape, newest first

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        minutes: minutes of the window, the current one included (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/options/{symbol}/history", True, (RowArray("buckets", "ts"),)), {"symbol": symbol, "expiry": expiry, "minutes": minutes}, None, at)

    async def options_cumulative(self, symbol: Text, *, expiry: Optional[Text] = None, minutes: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowOptionsCumulative]":
        """Cumulative net option volume over the window, oldest first

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        minutes: minutes of the window, the current one included (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/options/{symbol}/cumulative", True, (RowArray("points", "ts"),)), {"symbol": symbol, "expiry": expiry, "minutes": minutes}, None, at)

    async def options_dealer_premium(self, symbol: Text, *, expiry: Optional[Text] = None, windowMinutes: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowOptionsDealerPremium]":
        """Net premium dealers paid or wrote over the whole tape

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd, or the word 0dte; expiration is read as the same
        windowMinutes: minutes of the window, the current one included (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/options/{symbol}/dealer-premium", True), {"symbol": symbol, "expiry": expiry, "windowMinutes": windowMinutes}, None, at)

    async def stocks_recent(self, symbol: Text, *, limit: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowStocksRecent]":
        """Newest stock prints

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        limit: rows at most (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/stocks/{symbol}/recent", True, (RowArray("trades", None),)), {"symbol": symbol, "limit": limit}, None, at)

    async def stocks_summary(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[FlowStocksSummary]":
        """Session totals of the stock tape

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/flow/stocks/{symbol}/summary", True), {"symbol": symbol}, None, at)

    async def stocks_blocks(self, symbol: Text, *, minSize: Optional[int] = None, limit: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowStocksBlocks]":
        """Large stock prints

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        minSize: shares that a print has at least (values outside are moved to the nearest bound)
        limit: rows at most (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/stocks/{symbol}/blocks", True, (RowArray("blocks", None),)), {"symbol": symbol, "minSize": minSize, "limit": limit}, None, at)

    async def stocks_history(self, symbol: Text, *, minutes: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowStocksHistory]":
        """Minute buckets of the stock tape, newest first

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        minutes: minutes of the window, the current one included (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/stocks/{symbol}/history", True, (RowArray("buckets", "ts"),)), {"symbol": symbol, "minutes": minutes}, None, at)

    async def stocks_cumulative(self, symbol: Text, *, minutes: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowStocksCumulative]":
        """Cumulative net share volume over the window, oldest first

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        minutes: minutes of the window, the current one included (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/stocks/{symbol}/cumulative", True, (RowArray("points", "ts"),)), {"symbol": symbol, "minutes": minutes}, None, at)

    async def stocks_bars(self, symbol: Text, *, resolution: Literal["1s", "1m", "5m", "15m", "30m", "1h", "4h"], minutes: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowStocksBars]":
        """OHLCV bars with side volumes, oldest first

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        resolution: length of a bar: 1s, 1m, 5m, 15m, 30m, 1h, 4h
        minutes: minutes of the window (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/stocks/{symbol}/bars", True, (RowArray("bars", "ts"),)), {"symbol": symbol, "resolution": resolution, "minutes": minutes}, None, at)

    async def options_leaderboard(self, *, n: Optional[int] = None, windowMinutes: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowOptionsLeaderboard]":
        """Underlyings with the most net option money

        n: symbols at most on each side (values outside are moved to the nearest bound)
        windowMinutes: minutes of the window (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/options/leaderboard", True, (RowArray("buyers", "symbol"), RowArray("sellers", "symbol"),)), {"n": n, "windowMinutes": windowMinutes}, None, at)

    async def stocks_leaderboard(self, *, n: Optional[int] = None, windowMinutes: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowStocksLeaderboard]":
        """Stocks with the most net money

        n: symbols at most on each side (values outside are moved to the nearest bound)
        windowMinutes: minutes of the window (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/stocks/leaderboard", True, (RowArray("buyers", "symbol"), RowArray("sellers", "symbol"),)), {"n": n, "windowMinutes": windowMinutes}, None, at)

    async def options_outliers(self, *, limit: Optional[int] = None, minTrades: Optional[int] = None, windowMinutes: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowOptionsOutliers]":
        """Most one-sided option flow across symbols

        limit: symbols at most (values outside are moved to the nearest bound)
        minTrades: prints that a symbol has in the window at least (values outside are moved to the nearest bound)
        windowMinutes: minutes of the window (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/options/outliers", True, (RowArray("outliers", "symbol"),)), {"limit": limit, "minTrades": minTrades, "windowMinutes": windowMinutes}, None, at)

    async def stocks_outliers(self, *, limit: Optional[int] = None, minTrades: Optional[int] = None, windowMinutes: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[FlowStocksOutliers]":
        """Most one-sided stock flow across symbols

        limit: symbols at most (values outside are moved to the nearest bound)
        minTrades: prints that a symbol has in the window at least (values outside are moved to the nearest bound)
        windowMinutes: minutes of the window (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/flow/stocks/outliers", True, (RowArray("outliers", "symbol"),)), {"limit": limit, "minTrades": minTrades, "windowMinutes": windowMinutes}, None, at)


class AsyncVolatility(AsyncGroup):
    async def __call__(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[Volatility]":
        """Realized and implied volatility, skew, term structure, positioning by tenor and liquidity

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/volatility/{symbol}", True, (RowArray("skew_profiles", "expiry"), RowArray("gex_by_dte", "bucket"), RowArray("theta_by_dte", "bucket"), RowArray("put_call_profile.by_expiry", "expiry"), RowArray("hedging_scenarios", "move_pct"), RowArray("model_free.by_expiration", None),)), {"symbol": symbol}, None, at)

    async def realized(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[VolatilityRealized]":
        """Realized volatility by five estimators over 10, 20 and 30 trading days

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/volatility/realized/{symbol}", True), {"symbol": symbol}, None, at)

    async def forecast(self, symbol: Text, *, dist: Optional[Literal["student_t", "gaussian"]] = None, at: Optional[Moment] = None) -> "Answer[VolatilityForecast]":
        """Volatility forecasts: EWMA, HAR-RV and GARCH(1,1)

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        dist: student_t or gaussian: the innovations of GARCH
        """
        return await self._call(Operation("GET", "/v1/volatility/forecast/{symbol}", True, (RowArray("garch.forecast", None),)), {"symbol": symbol, "dist": dist}, None, at)

    async def skew_term(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[VolatilitySkewTerm]":
        """Skew by expiration: risk reversal, butterfly and tail convexity

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/volatility/skew-term/{symbol}", True, (RowArray("expiries", "expiry"),)), {"symbol": symbol}, None, at)

    async def spot_vol_correlation(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[VolatilitySpotVolCorrelation]":
        """Correlation of daily returns with daily changes of volatility at the money

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/volatility/spot-vol-correlation/{symbol}", True), {"symbol": symbol}, None, at)


class AsyncAdvVolatility(AsyncGroup):
    async def __call__(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[AdvVolatility]":
        """Fitted smiles, forwards, variance surface, arbitrage flags, variance swaps and grids of higher greeks

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/adv_volatility/{symbol}", True, (RowArray("svi_parameters", "expiry"), RowArray("forward_prices", "expiry"), RowArray("variance_swap_fair_values", "expiry"), RowArray("svi_parameters_am", None), RowArray("arbitrage_flags", None), RowArray("model_free.by_expiration", None),)), {"symbol": symbol}, None, at)


class AsyncVrp(AsyncGroup):
    async def __call__(self, symbol: Text, *, date: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[Vrp]":
        """Volatility risk premium with its regime, warnings and scores

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        date: a date, yyyy-MM-dd, not in the future: the session whose close is described
        """
        return await self._call(Operation("GET", "/v1/vrp/{symbol}", True, (RowArray("term_vrp", None),)), {"symbol": symbol, "date": date}, None, at)

    async def history(self, symbol: Text, *, days: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[VrpHistory]":
        """Volatility risk premium of past sessions, one row for each

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        days: a whole number of calendar days back from today (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/vrp/{symbol}/history", True, (RowArray("history", "date"),)), {"symbol": symbol, "days": days}, None, at)


class AsyncExpectedMove(AsyncGroup):
    async def __call__(self, symbol: Text, *, expiry: Optional[Text] = None, expiration: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[ExpectedMove]":
        """One standard deviation to each expiration

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd; default: all expirations
        expiration: a date, yyyy-MM-dd: another name of expiry
        """
        return await self._call(Operation("GET", "/v1/expected-move/{symbol}", True, (RowArray("expected_moves", "expiry"),)), {"symbol": symbol, "expiry": expiry, "expiration": expiration}, None, at)


class AsyncLiquidity(AsyncGroup):
    async def __call__(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[Liquidity]":
        """Cost of trading each expiration

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/liquidity/{symbol}", True, (RowArray("expiries", "expiration"),)), {"symbol": symbol}, None, at)


class AsyncDispersion(AsyncGroup):
    async def __call__(self, *, index: Text, symbols: Text, weights: Optional[Text] = None, horizon_days: Optional[int] = None, at: Optional[Moment] = None) -> "Answer[Dispersion]":
        """Implied and realized correlation of an index with a basket

        index: a ticker: an index or ETF with listed options
        symbols: comma-separated tickers, at most 50 different ones
        weights: comma-separated numbers of 0 or more
        horizon_days: a whole number of trading days, 5 to 252 (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/dispersion", True, (RowArray("top_contributors", "symbol"),)), {"index": index, "symbols": symbols, "weights": weights, "horizon_days": horizon_days}, None, at)


class AsyncMacro(AsyncGroup):
    async def vix_state(self, *, at: Optional[Moment] = None) -> "Answer[MacroVixState]":
        """The VIX against 20-day realized volatility of the S&P 500"""
        return await self._call(Operation("GET", "/v1/macro/vix-state", True), {}, None, at)


class AsyncSurface(AsyncGroup):
    async def svi(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[SurfaceSvi]":
        """Fitted smile of each expiration, as SVI parameters

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/surface/{symbol}/svi", True, (RowArray("svi_parameters", "expiry"), RowArray("svi_parameters_am", None),)), {"symbol": symbol}, None, at)

    async def __call__(self, symbol: Text, *, fit: Optional[Literal["svi", "market"]] = None, at: Optional[Moment] = None) -> "Answer[Surface]":
        """Implied-volatility grid over time and moneyness, from the fitted smiles; with fit=market risk-neutral probabilities too

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        fit: svi: five parameters an expiration; market: smiles through the quotes of every listing, with what they say of the price at expiry
        """
        return await self._call(Operation("GET", "/v1/surface/{symbol}", True, (RowArray("density", None), RowArray("refused", None),)), {"symbol": symbol, "fit": fit}, None, at)


class AsyncStrategies(AsyncGroup):
    async def dealer_regime(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[StrategiesDealerRegime]":
        """What dealer hedging does to moves, and an iron condor where it dampens them

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd; default: the whole chain; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/strategies/dealer-regime/{symbol}", True, (RowArray("best_structures", "rank"), RowArray("risk_flags", "code"),)), {"symbol": symbol, "expiry": expiry}, None, at)

    async def skew(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[StrategiesSkew]":
        """How much richer one wing of an expiration is than the other

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd; default: the nearest live expiration; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/strategies/skew/{symbol}", True, (RowArray("best_structures", "rank"), RowArray("risk_flags", "code"),)), {"symbol": symbol, "expiry": expiry}, None, at)

    async def tail_pricing(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[StrategiesTailPricing]":
        """What the downside tail of an expiration costs

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd; default: the nearest live expiration; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/strategies/tail-pricing/{symbol}", True, (RowArray("best_structures", "rank"), RowArray("risk_flags", "code"),)), {"symbol": symbol, "expiry": expiry}, None, at)

    async def zero_dte(self, symbol: Text, *, expiry: Optional[Text] = None, minOpenInterest: Optional[int] = None, wingWidth: Optional[float] = None, at: Optional[Moment] = None) -> "Answer[StrategiesZeroDte]":
        """Whether price is likely to stay in a range until the close

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd; default: today's expiration; expiration is read as the same
        minOpenInterest: a whole number of contracts: the minimum open interest of a leg (values outside are moved to the nearest bound)
        wingWidth: the distance of the wings of an iron fly, in strike points (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/strategies/zero-dte/{symbol}", True, (RowArray("best_structures", "rank"), RowArray("risk_flags", "code"),)), {"symbol": symbol, "expiry": expiry, "minOpenInterest": minOpenInterest, "wingWidth": wingWidth}, None, at)

    async def yield_enhancement(self, symbol: Text, *, expiry: Optional[Text] = None, targetDelta: Optional[float] = None, minOpenInterest: Optional[int] = None, structure: Optional[Literal["covered_call", "cash_secured_put"]] = None, excludeEarningsBeforeExpiry: Optional[Literal["0", "1", "true", "false"]] = None, at: Optional[Moment] = None) -> "Answer[StrategiesYieldEnhancement]":
        """The covered call or cash-secured put near a delta that pays best

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd; default: the one nearest to 30 days, within 20 to 45; expiration is read as the same
        targetDelta: the delta of a short leg by size (values outside are moved to the nearest bound)
        minOpenInterest: a whole number of contracts: the minimum open interest of a leg (values outside are moved to the nearest bound)
        structure: covered_call or cash_secured_put
        excludeEarningsBeforeExpiry: whether a report before the expiration weighs on candidates: true, false, 1 or 0
        """
        return await self._call(Operation("GET", "/v1/strategies/yield-enhancement/{symbol}", True, (RowArray("best_structures", "rank"), RowArray("metrics.dividends", "ex_date"), RowArray("risk_flags", "code"),)), {"symbol": symbol, "expiry": expiry, "targetDelta": targetDelta, "minOpenInterest": minOpenInterest, "structure": structure, "excludeEarningsBeforeExpiry": excludeEarningsBeforeExpiry}, None, at)

    async def flow_anomaly(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[StrategiesFlowAnomaly]":
        """Whether calls or puts trade more

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd; default: the whole chain; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/strategies/flow-anomaly/{symbol}", True, (RowArray("best_structures", "rank"), RowArray("risk_flags", "code"),)), {"symbol": symbol, "expiry": expiry}, None, at)

    async def term_structure(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[StrategiesTermStructure]":
        """How volatility changes with time to expiry

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/strategies/term-structure/{symbol}", True, (RowArray("best_structures", "rank"), RowArray("metrics.term_points", "expiry"), RowArray("risk_flags", "code"),)), {"symbol": symbol}, None, at)

    async def vol_carry(self, symbol: Text, *, expiry: Optional[Text] = None, minOpenInterest: Optional[int] = None, targetShortDelta: Optional[float] = None, maxWidth: Optional[float] = None, minCredit: Optional[float] = None, at: Optional[Moment] = None) -> "Answer[StrategiesVolCarry]":
        """Whether volatility is worth selling, and on which side

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd; default: the nearest with at least a calendar day left; expiration is read as the same
        minOpenInterest: a whole number of contracts: the minimum open interest of a leg (values outside are moved to the nearest bound)
        targetShortDelta: the delta of a short leg by size (values outside are moved to the nearest bound)
        maxWidth: between the strikes of a spread at most, in strike points (values outside are moved to the nearest bound)
        minCredit: the minimum credit of a structure, USD per share (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/strategies/vol-carry/{symbol}", True, (RowArray("best_structures", "rank"), RowArray("risk_flags", "code"),)), {"symbol": symbol, "expiry": expiry, "minOpenInterest": minOpenInterest, "targetShortDelta": targetShortDelta, "maxWidth": maxWidth, "minCredit": minCredit}, None, at)

    async def surface_anomaly(self, symbol: Text, *, expiry: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[StrategiesSurfaceAnomaly]":
        """Rich and cheap wings of an expiration against its fitted smile

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd; default: the nearest with a fitted smile; expiration is read as the same
        """
        return await self._call(Operation("GET", "/v1/strategies/surface-anomaly/{symbol}", True, (RowArray("best_structures", "rank"), RowArray("metrics.per_strike_residuals", "strike"), RowArray("risk_flags", "code"),)), {"symbol": symbol, "expiry": expiry}, None, at)

    async def expiry_positioning(self, symbol: Text, *, expiry: Optional[Text] = None, minOpenInterest: Optional[int] = None, wingWidth: Optional[float] = None, at: Optional[Moment] = None) -> "Answer[StrategiesExpiryPositioning]":
        """How strongly max pain of an expiration pulls, and an iron fly on it

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        expiry: a date, yyyy-MM-dd; default: the nearest live expiration; expiration is read as the same
        minOpenInterest: a whole number of contracts: the minimum open interest of a leg (values outside are moved to the nearest bound)
        wingWidth: the distance of the wings of an iron fly, in strike points (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/strategies/expiry-positioning/{symbol}", True, (RowArray("best_structures", "rank"), RowArray("risk_flags", "code"),)), {"symbol": symbol, "expiry": expiry, "minOpenInterest": minOpenInterest, "wingWidth": wingWidth}, None, at)


class AsyncEarnings(AsyncGroup):
    async def calendar(self, *, days: Optional[int] = None, symbols: Optional[Text] = None, importance: Optional[int] = None) -> "Answer[EarningsCalendar]":
        """Upcoming reports

        days: how far ahead (values outside are moved to the nearest bound)
        symbols: tickers, comma separated, any case; without it all
        importance: the minimum importance, 1 to 5; default: all
        """
        return await self._call(Operation("GET", "/v1/earnings/calendar", False, (RowArray("events", None),)), {"days": days, "symbols": symbols, "importance": importance}, None, None)

    async def expected_move(self, symbol: Text) -> "Answer[EarningsExpectedMove]":
        """Implied move of the next report, split into the report and everyday trading

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/earnings/expected-move/{symbol}", False), {"symbol": symbol}, None, None)

    async def history(self, symbol: Text, *, limit: Optional[int] = None) -> "Answer[EarningsHistory]":
        """Past reports: surprises, moves and the fall in volatility

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        limit: reports at most (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/earnings/history/{symbol}", False, (RowArray("history", "date"),)), {"symbol": symbol, "limit": limit}, None, None)

    async def iv_crush(self, symbol: Text) -> "Answer[EarningsIvCrush]":
        """The fall in volatility priced for the next report, and at past ones

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/earnings/iv-crush/{symbol}", False), {"symbol": symbol}, None, None)

    async def vrp(self, symbol: Text) -> "Answer[EarningsVrp]":
        """Implied move of the next report against the moves at past ones

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/earnings/vrp/{symbol}", False), {"symbol": symbol}, None, None)

    async def dealer_positioning(self, symbol: Text) -> "Answer[EarningsDealerPositioning]":
        """Dealer exposure around the next report

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/earnings/dealer-positioning/{symbol}", False, (RowArray("gex_by_dte_bucket", "bucket"), RowArray("top_strikes", "strike"),)), {"symbol": symbol}, None, None)

    async def strategies(self, symbol: Text) -> "Answer[EarningsStrategies]":
        """How well common structures suit the next report

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/earnings/strategies/{symbol}", False), {"symbol": symbol}, None, None)

    async def screener(self, *, sort: Optional[Literal["vrp_richest", "cheapest_move", "highest_crush", "importance"]] = None, limit: Optional[int] = None, days: Optional[int] = None, min_importance: Optional[int] = None) -> "Answer[EarningsScreener]":
        """Upcoming reports, ranked

        sort: vrp_richest, cheapest_move, highest_crush or importance; anything else means the first
        limit: reports at most (values outside are moved to the nearest bound)
        days: how far ahead (values outside are moved to the nearest bound)
        min_importance: the minimum importance, 1 to 5; default: all
        """
        return await self._call(Operation("GET", "/v1/earnings/screener", False, (RowArray("events", None),)), {"sort": sort, "limit": limit, "days": days, "min_importance": min_importance}, None, None)


class AsyncPricing(AsyncGroup):
    async def greeks(self, *, spot: float, strike: float, dte: float, sigma: float, exercise: Optional[Literal["european", "american"]] = None, type: Optional[Literal["call", "c", "put", "p"]] = None, r: Optional[float] = None, q: Optional[float] = None) -> "Answer[PricingGreeks]":
        """Black-Scholes-Merton price and greeks to third order, with early exercise where requested

        spot: a number from 0.000001 to 1000000000000: price of the underlying, USD
        strike: a number from 0.000001 to 1000000000000: strike price, USD
        dte: a number from 0.000001 to 36500: days to expiry, fractions allowed
        sigma: a number from 0.000001 to 20: annual volatility as a fraction (0.18 for 18 %)
        exercise: european (at expiry alone) or american (on any day), in any case
        type: call or put (c or p), in any case
        r: a number from -1 to 1: risk-free rate, annual fraction
        q: a number from -1 to 1: dividend yield, annual fraction
        """
        return await self._call(Operation("GET", "/v1/pricing/greeks", False), {"spot": spot, "strike": strike, "dte": dte, "sigma": sigma, "exercise": exercise, "type": type, "r": r, "q": q}, None, None)

    async def iv(self, *, spot: float, strike: float, dte: float, price: float, exercise: Optional[Literal["european", "american"]] = None, type: Optional[Literal["call", "c", "put", "p"]] = None, r: Optional[float] = None, q: Optional[float] = None) -> "Answer[PricingIv]":
        """Implied volatility of a price, with early exercise where requested

        spot: a number from 0.000001 to 1000000000000: price of the underlying, USD
        strike: a number from 0.000001 to 1000000000000: strike price, USD
        dte: a number from 0.000001 to 36500: days to expiry, fractions allowed
        price: a number from 0.000001 to 1000000000000: price of the option, per share, USD
        exercise: european (at expiry alone) or american (on any day), in any case
        type: call or put (c or p), in any case
        r: a number from -1 to 1: risk-free rate, annual fraction
        q: a number from -1 to 1: dividend yield, annual fraction
        """
        return await self._call(Operation("GET", "/v1/pricing/iv", False), {"spot": spot, "strike": strike, "dte": dte, "price": price, "exercise": exercise, "type": type, "r": r, "q": q}, None, None)

    async def kelly(self, *, spot: float, strike: float, dte: float, sigma: float, premium: float, mu: float, type: Optional[Literal["call", "c", "put", "p"]] = None, r: Optional[float] = None, q: Optional[float] = None) -> "Answer[PricingKelly]":
        """Kelly sizing of a long option

        spot: a number from 0.000001 to 1000000000000: price of the underlying, USD
        strike: a number from 0.000001 to 1000000000000: strike price, USD
        dte: a number from 0.000001 to 36500: days to expiry, fractions allowed
        sigma: a number from 0.000001 to 20: annual volatility as a fraction (0.18 for 18 %)
        premium: a number from 0.000001 to 1000000000000: premium paid per share, USD
        mu: a number from -2 to 2: expected annual return of the underlying, as a fraction
        type: call or put (c or p), in any case
        r: a number from -1 to 1: risk-free rate, annual fraction
        q: a number from -1 to 1: dividend yield, annual fraction
        """
        return await self._call(Operation("GET", "/v1/pricing/kelly", False), {"spot": spot, "strike": strike, "dte": dte, "sigma": sigma, "premium": premium, "mu": mu, "type": type, "r": r, "q": q}, None, None)


class AsyncStructures(AsyncGroup):
    async def pnl(self, body: "StructuresPnlRequest") -> "Answer[StructuresPnl]":
        """P&L of a multi-leg structure at expiry, optionally over spot, volatility and time"""
        return await self._call(Operation("POST", "/v1/structures/pnl", False, (RowArray("pnl_curve", "underlying"), RowArray("legs", None),)), {}, body, None)

    async def greeks(self, body: "StructuresGreeksRequest") -> "Answer[StructuresGreeks]":
        """Summed greeks of a multi-leg structure"""
        return await self._call(Operation("POST", "/v1/structures/greeks", False, (RowArray("legs", None),)), {}, body, None)


class AsyncQuality(AsyncGroup):
    async def __call__(self, symbol: Text, *, at: Optional[Moment] = None) -> "Answer[Quality]":
        """How good the data under the numbers is

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/quality/{symbol}", True, (RowArray("checks", "id"),)), {"symbol": symbol}, None, at)


class AsyncSeries(AsyncGroup):
    async def __call__(self, symbol: Text, *, fields: Optional[Text] = None, from_: Optional[Text] = None, to: Optional[Text] = None, every: Optional[Literal["1m", "5m", "15m", "30m", "1h", "1d"]] = None, at: Optional[Moment] = None) -> "Answer[Series]":
        """Figures over a stretch of time, in columns

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        fields: names of figures, comma separated, in the order wanted
        from_: a New York date, yyyy-MM-dd, or wall-clock moment, yyyy-MM-ddTHH:mm:ss: the first; without it the open of the session of as_of
        to: a New York date, yyyy-MM-dd, or wall-clock moment, yyyy-MM-ddTHH:mm:ss: the last, itself included; without it as_of
        every: of each so long a part of a session, counted from its open, the last row; 1d: the close of each session
        """
        return await self._call(Operation("GET", "/v1/series/{symbol}", True, (RowArray("incomplete", None),)), {"symbol": symbol, "fields": fields, "from": from_, "to": to, "every": every}, None, at)


class AsyncBars(AsyncGroup):
    async def __call__(self, symbol: Text, *, every: Optional[Literal["1m", "5m", "15m", "30m", "1h", "1d", "1w"]] = None, from_: Optional[Text] = None, to: Optional[Text] = None, fields: Optional[Text] = None, at: Optional[Moment] = None) -> "Answer[Bars]":
        """Bars of prices over time, with figures at the end of each

        symbol: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        every: length of a bar, counted from the open of its session; 1d a session, 1w a calendar week
        from_: a New York date, yyyy-MM-dd, or wall-clock moment, yyyy-MM-ddTHH:mm:ss: bars that begin then or later; without it the open of the last session, for 1d a year and for 1w three before to
        to: a New York date, yyyy-MM-dd, or wall-clock moment, yyyy-MM-ddTHH:mm:ss: bars that begin then or earlier; without it as_of
        fields: names of figures, comma separated, in the order wanted
        """
        return await self._call(Operation("GET", "/v1/bars/{symbol}", True, (RowArray("incomplete", None),)), {"symbol": symbol, "every": every, "from": from_, "to": to, "fields": fields}, None, at)


class AsyncScreener(AsyncGroup):
    async def __call__(self, body: "Optional[ScreenerRequest]" = None) -> "Answer[Screener]":
        """Filter, rank and project all loaded symbols"""
        return await self._call(Operation("POST", "/v1/screener", False, (RowArray("data", None),)), {}, body, None)

    async def fields(self) -> "Answer[ScreenerFields]":
        """Fields and types that screener requests may use"""
        return await self._call(Operation("GET", "/v1/screener/fields", False, (RowArray("fields", "name"),)), {}, None, None)


class AsyncTickers(AsyncGroup):
    async def __call__(self) -> "Answer[Tickers]":
        """Every known ticker"""
        return await self._call(Operation("GET", "/v1/tickers", False), {}, None, None)


class AsyncOptions(AsyncGroup):
    async def __call__(self, ticker: Text, *, at: Optional[Moment] = None) -> "Answer[Options]":
        """Expirations and strikes of a chain

        ticker: a ticker: 1 to 10 of A-Z 0-9 . - ^ =
        """
        return await self._call(Operation("GET", "/v1/options/{ticker}", True, (RowArray("expirations", "expiration"),)), {"ticker": ticker}, None, at)


class AsyncSymbols(AsyncGroup):
    async def __call__(self) -> "Answer[Symbols]":
        """Symbols with live data in the cache"""
        return await self._call(Operation("GET", "/v1/symbols", False, (RowArray("held", "symbol"),)), {}, None, None)


class AsyncUniverse(AsyncGroup):
    async def __call__(self, *, sort: Optional[Literal["tier", "symbol"]] = None, limit: Optional[int] = None) -> "Answer[Universe]":
        """Curated symbols kept warm

        sort: tier or symbol; anything else counts as tier
        limit: a whole number of symbols (values outside are moved to the nearest bound)
        """
        return await self._call(Operation("GET", "/v1/universe", False, (RowArray("symbols", "symbol"),)), {"sort": sort, "limit": limit}, None, None)


class AsyncOperations:
    """All operations, in groups."""

    def __init__(self, call: AsyncCall):
        self.system = AsyncSystem(call)
        self.admin = AsyncAdmin(call)
        self.alerts = AsyncAlerts(call)
        self.documents = AsyncDocuments(call)
        self.reference = AsyncReference(call)
        self.account = AsyncAccount(call)
        self.stockquote = AsyncStockquote(call)
        self.optionquote = AsyncOptionquote(call)
        self.market = AsyncMarket(call)
        self.stock = AsyncStock(call)
        self.exposure = AsyncExposure(call)
        self.maxpain = AsyncMaxpain(call)
        self.flow = AsyncFlow(call)
        self.volatility = AsyncVolatility(call)
        self.adv_volatility = AsyncAdvVolatility(call)
        self.vrp = AsyncVrp(call)
        self.expected_move = AsyncExpectedMove(call)
        self.liquidity = AsyncLiquidity(call)
        self.dispersion = AsyncDispersion(call)
        self.macro = AsyncMacro(call)
        self.surface = AsyncSurface(call)
        self.strategies = AsyncStrategies(call)
        self.earnings = AsyncEarnings(call)
        self.pricing = AsyncPricing(call)
        self.structures = AsyncStructures(call)
        self.quality = AsyncQuality(call)
        self.series = AsyncSeries(call)
        self.bars = AsyncBars(call)
        self.screener = AsyncScreener(call)
        self.tickers = AsyncTickers(call)
        self.options = AsyncOptions(call)
        self.symbols = AsyncSymbols(call)
        self.universe = AsyncUniverse(call)
