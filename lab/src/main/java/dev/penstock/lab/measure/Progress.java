package dev.penstock.lab.measure;

import java.time.Duration;

/**
 * How far a load has come.
 *
 * @param elapsed since its start
 * @param planned how long it is to start transactions; zero when only a count bounds it
 * @param inFlight transactions without an ending now
 * @param recorded what was measured so far; nothing before the end of the warm-up
 */
public record Progress(Duration elapsed, Duration planned, int inFlight, Recorded recorded) {}
