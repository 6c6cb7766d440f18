package dev.penstock.lab.datagram;

import java.time.Duration;

/**
 * The progress of a load.
 *
 * @param elapsed since its start
 * @param planned how long it sends
 * @param sent so far
 * @param right correct answers so far
 * @param waiting unanswered: may still be answered, or lost
 * @param shed due and not sent
 */
public record DatagramProgress(Duration elapsed, Duration planned, long sent, long right, long waiting, long shed) {}
