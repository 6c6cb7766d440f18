package dev.penstock.lab.probe;

import dev.penstock.lab.probe.fit.Sample;

/**
 * What was seen at a level.
 *
 * @param atOnce calls at once
 * @param perSecond right answers a second
 * @param mean seconds that a call took
 * @param errorShare how many of all were not answered right, 0 to 1
 * @param calls how many were made
 * @param spread standard deviation of a call's time, as a share of the mean
 * @param paced whether the budget's rate held calls back, so that it says nothing of the peer
 */
public record KneeObservation(
        int atOnce, double perSecond, double mean, double errorShare, long calls, double spread, boolean paced) {
    /** What keeps a measurement from being better than this, however many calls it has: machines are not steady. */
    private static final double UNSTEADY = 0.01;

    /** How far its rate may be off, as a share: one standard error. */
    double doubt() {
        double byChance = spread / Math.sqrt(Math.max(1.0, (double) calls));
        return Math.sqrt(byChance * byChance + UNSTEADY * UNSTEADY);
    }

    Sample sample() {
        double doubt = doubt() / UNSTEADY;
        return new Sample(atOnce, perSecond, 1 / (doubt * doubt));
    }

    KneeFinding.Point point() {
        return new KneeFinding.Point(atOnce, perSecond, 1e3 * mean, errorShare);
    }
}
