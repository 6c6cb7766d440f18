package dev.penstock.gateway.file;

import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.SettleConfig;
import dev.penstock.gateway.config.StatusConfig;
import dev.penstock.gateway.transport.Transports;
import dev.penstock.text.Durations;
import java.time.Duration;

/** Checks combinations of values that are valid on their own but not together. */
final class CrossFieldChecks {
    private final ConfigProblems problems;

    CrossFieldChecks(ConfigProblems problems) {
        this.problems = problems;
    }

    /** Checks the values of one flow. */
    void within(FlowConfig flow) {
        flow.to().check(flow, problems);
        flow.from().check(flow, problems);
        StatusConfig status = flow.status();
        if (status != null && !flow.from().isQueue() && !flow.to().isQueue()) {
            problems.add(
                    status.location(),
                    "'status' is for transactions that pass a queue, but flow '" + flow.name()
                            + "' answers directly; remove it");
        }
        Configured<Duration> queue = flow.queue().time();
        Configured<Duration> deadline = flow.deadline();
        if (queue != null && queue.value().compareTo(deadline.value()) > 0) {
            problems.add(
                    queue.location(),
                    "'queue.time' is " + Durations.format(queue.value()) + ", longer than the deadline of "
                            + Durations.format(deadline.value()) + "; shorten it or raise the deadline");
        }
        SettleConfig settle = flow.settle();
        if (settle != null && settle.after().value().compareTo(deadline.value()) >= 0) {
            problems.add(
                    settle.after().inFile() ? settle.after().location() : settle.location(),
                    "'settle.after' is " + Durations.format(settle.after().value())
                            + ", not shorter than the deadline of "
                            + Durations.format(deadline.value())
                            + ", so the status is never queried; shorten it or raise the deadline");
        }
        CollapseKind collapse = flow.collapse();
        if (collapse != null
                && collapse.budget()
                        instanceof Configured<?>(CollapseKind.Budget.Time(Duration most), var origin, FileLocation at)
                && most.compareTo(deadline.value()) >= 0) {
            problems.add(
                    at,
                    "'collapse.budget' is " + Durations.format(most) + ", not shorter than the deadline of "
                            + Durations.format(deadline.value()) + "; shorten it or raise the deadline");
        }
        if (flow.limit() instanceof LimitConfig.Bounds(Configured<Integer> min, Configured<Integer> max)
                && min.value() > max.value()) {
            problems.add(
                    min.location(),
                    "'limit.min' is " + min.value() + ", greater than 'limit.max' (" + max.value() + "); swap them");
        }
        RetryConfig retry = flow.retry();
        if (retry != null
                && retry.backoff().value().compareTo(retry.backoffMax().value()) > 0) {
            Configured<Duration> given = retry.backoffMax().inFile() ? retry.backoffMax() : retry.backoff();
            problems.add(
                    given.location(),
                    "'retry.backoff' is " + Durations.format(retry.backoff().value())
                            + ", longer than 'retry.backoff_max' ("
                            + Durations.format(retry.backoffMax().value()) + "); raise backoff_max or lower backoff");
        }
    }

    /** Checks flows against each other and against the admin server. */
    void between(GatewayConfig config, Transports transports) {
        transports.all().forEach(transport -> transport.check(config, problems));
        AdminConfig admin = config.admin();
        if (admin != null) {
            config.flows().stream()
                    .filter(flow -> admin.listener().clashes(flow.from().listener()))
                    .findFirst()
                    .ifPresent(flow -> problems.add(
                            admin.port().location(),
                            "'admin.port' is " + admin.port().value() + ", where flow '" + flow.name()
                                    + "' listens; give the admin server another port"));
        }
    }
}
