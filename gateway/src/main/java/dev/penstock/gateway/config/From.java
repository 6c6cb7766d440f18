package dev.penstock.gateway.config;

/** Where the requests of a flow come from. */
public sealed interface From permits HttpFrom, JmsFrom, UdpFrom {
    /** The word for its kind in a file. */
    String kind();

    /** The path that those of its requests begin with, and that the target's stands for. */
    String base();
}
