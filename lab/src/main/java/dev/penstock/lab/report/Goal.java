package dev.penstock.lab.report;

/**
 * A goal of a course, and whether it was met.
 *
 * @param what the goal, in a few words with its number
 * @param found the measured value, in a few words
 * @param met whether the goal was met
 */
public record Goal(String what, String found, boolean met) {}
