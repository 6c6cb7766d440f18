package dev.penstock.gateway.config;

/** Where the requests of a flow go. */
public sealed interface To permits HttpTo, JdbcTo, JmsTo, UdpTo, ReplaceTo {
    /** Its connections. */
    PoolConfig pool();

    /** The word for its kind in a file. */
    String kind();
}
