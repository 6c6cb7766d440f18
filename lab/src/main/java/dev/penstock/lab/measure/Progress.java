package dev.penstock.lab.measure;

import java.time.Duration;

/**
 * The progress of a load.
 *
 * @param elapsed since its start
 * @param planned how long it starts transactions; zero when only a count limits it
 * @param inFlight transactions in flight
 * @param recorded the measurements so far; empty before the end of the warm-up
 */
public record Progress(Duration elapsed, Duration planned, int inFlight, Recorded recorded) {}
