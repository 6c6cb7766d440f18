package dev.penstock.lab.report;

/**
 * What a course was to show, and whether it did.
 *
 * @param what was to be, in a few words with its number
 * @param found what was measured, in a few words
 * @param met whether that is it
 */
public record Goal(String what, String found, boolean met) {}
