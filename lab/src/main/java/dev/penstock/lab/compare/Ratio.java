package dev.penstock.lab.compare;

/**
 * How many times ours is of the other, with a 95 % interval.
 *
 * @param ratio ours / other
 * @param low the lower end of the interval
 * @param high the upper end
 * @param samples how many blocks of each it is of; with fewer than 2 the interval is from 0 to infinity
 */
public record Ratio(double ratio, double low, double high, int samples) {}
