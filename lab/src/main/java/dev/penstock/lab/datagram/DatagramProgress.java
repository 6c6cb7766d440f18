package dev.penstock.lab.datagram;

import java.time.Duration;

/**
 * How far a load has come.
 *
 * @param elapsed since its start
 * @param planned for how long it sends
 * @param sent so far
 * @param right answered so far as they had to be
 * @param waiting that may be answered yet, or are lost
 * @param shed that were due and not sent
 */
public record DatagramProgress(Duration elapsed, Duration planned, long sent, long right, long waiting, long shed) {}
