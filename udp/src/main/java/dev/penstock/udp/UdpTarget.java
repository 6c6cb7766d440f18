package dev.penstock.udp;

/** Sends datagrams and waits for their answers. */
public final class UdpTarget {
    private UdpTarget() {}
}
