package dev.penstock.lab.probe;

/**
 * A limit that a peer tells of itself.
 *
 * @param name as the peer calls it, for instance {@code Keep-Alive: timeout} or {@code max_connections}
 * @param value as it says it
 * @param meaning what follows from it, in one sentence
 */
public record Announced(String name, String value, String meaning) {}
