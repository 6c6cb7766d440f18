package dev.penstock.gateway.config;

/** The source of a flow. */
public sealed interface From permits HttpFrom, JmsFrom, UdpFrom {
    /** Its key in the file, for instance {@code http}. */
    String kind();

    /** The base path of its requests, which the target replaces with its own. */
    String base();
}
