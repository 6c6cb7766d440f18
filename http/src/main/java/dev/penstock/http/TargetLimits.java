package dev.penstock.http;

import java.time.Duration;

/** What bounds the exchanges with a target; see {@link HttpTargetBuilder} for what each one does. */
record TargetLimits(
        int poolMax,
        Duration poolWait,
        Duration idle,
        Duration connectTimeout,
        Duration responseTimeout,
        Duration validateAfter,
        int maxAnswer) {}
