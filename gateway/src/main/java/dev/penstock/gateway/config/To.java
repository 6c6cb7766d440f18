package dev.penstock.gateway.config;

/** The target of a flow. */
public sealed interface To permits HttpTo, JdbcTo, JmsTo, UdpTo, ReplaceTo {
    /** The connection pool. */
    PoolConfig pool();

    /** Its key in the file, for instance {@code http}. */
    String kind();
}
