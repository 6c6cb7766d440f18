package dev.penstock.gateway.config;

/** What every part of the reading of one file shares. */
record Reading(Placeholders placeholders, Problems problems) {}
