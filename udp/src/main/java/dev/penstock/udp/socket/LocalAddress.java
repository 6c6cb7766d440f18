package dev.penstock.udp.socket;

/**
 * The address of this machine that a datagram was sent to, as the two halves of an IPv6 address; that of IPv4 is in the
 * lower one, in the order of the kernel.
 */
public record LocalAddress(long high, long low) {}
