package dev.penstock.gateway.migrate;

/** Why properties of older pools have no place here, in the words that several of them share. */
final class DroppedReasons {
    static final String KEPT_ALIVE =
            "not needed: idle connections are kept alive below half of the age at which the way was seen to kill, which is learned";
    static final String LOOKED_AT =
            "not needed: before a caller gets a connection its socket is looked at, and one that lay idle for longer than any was"
                    + " seen alive is asked, within a bound learned from round trips";
    static final String ON_DEMAND = "not needed: connections are opened on demand, at once and side by side";
    static final String BOUNDED = "not needed: how long opening goes on is bounded by the time that callers wait";
    static final String LENT =
            "not there: a flow always gives its connection back; in a program of your own, close it by"
                    + " try-with-resources";
    static final String STATEMENTS =
            "not there: prepared statements are kept by the driver (PostgreSQL's keeps 256 of a"
                    + " connection by itself)";
    static final String SHOWN = "not needed: counts and times are at /metrics, settings at /settings";
    static final String THREADS = "not needed: work in the background is done on virtual threads";
    static final String FOUND = "not needed: the driver is found by the URL";
    static final String INSIDE = "of the inside of the old pool";
    static final String RUNS = "not needed: a database that is down keeps nothing from starting, and callers are told";

    private DroppedReasons() {}
}
