package dev.penstock.gateway.file;

import static dev.penstock.gateway.config.Rule.fileError;
import static dev.penstock.gateway.config.Rule.fileWarning;
import static dev.penstock.gateway.config.Rule.flowError;
import static dev.penstock.gateway.config.Rule.flowWarning;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.CollapseKind.Budget;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.config.SettleConfig;
import dev.penstock.gateway.config.StatusConfig;
import dev.penstock.gateway.transport.Transports;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What must hold between the keys of all flows. Each transport has a list like this for its own keys. */
final class CrossFieldRules {
    private static final List<Rule<?>> RULES = List.of(
            flowError("only flows with a queue have a status", "status from to", CrossFieldRules::statusOfQueue),
            flowError("a transaction waits no longer than its deadline", "queue.time deadline", CrossFieldRules::wait),
            flowError("a status query precedes the deadline", "settle.after deadline", CrossFieldRules::settle),
            flowError("a batch is sent before the deadline", "collapse.budget deadline", CrossFieldRules::collapse),
            flowError("the bounds of the limit are in order", "limit.min limit.max", CrossFieldRules::limit),
            fileError(
                    "the admin server has a port of its own", "admin.port from.http.port", CrossFieldRules::adminPort),
            flowWarning("a call gets a connection in time", "pool.wait deadline", CrossFieldRules::poolWait),
            flowWarning("a request is safe to retry", "retry.key idempotent settle", CrossFieldRules::retryWithoutKey),
            flowWarning(
                    "all attempts fit into the deadline",
                    "retry.attempts pool.response_timeout deadline",
                    CrossFieldRules::attempts),
            flowWarning(
                    "a timed-out request is settled in time",
                    "settle.after pool.response_timeout deadline",
                    CrossFieldRules::settleAfterAnswer),
            flowWarning("keys outlive their transaction", "dedupe.keep deadline", CrossFieldRules::keysExpire),
            fileWarning("the admin pages are local", "admin.host", CrossFieldRules::adminHost));

    private CrossFieldRules() {}

    /** The rules of all flows, then those of each transport. */
    static List<Rule<?>> all(Transports transports) {
        return Stream.concat(RULES.stream(), transports.all().stream().flatMap(one -> one.rules().stream()))
                .toList();
    }

    /** Checks the rules about a flow, or those about a file. */
    static void check(Object flowOrFile, boolean warnings, Transports transports, ConfigProblems problems) {
        all(transports).stream()
                .filter(rule -> rule.isWarning() == warnings)
                .forEach(rule -> rule.check(flowOrFile, problems));
    }

    /** Checks the rules about a flow whose file has errors, as far as the keys of a rule have none since then. */
    static void errors(FlowConfig flow, int since, Transports transports, ConfigProblems problems) {
        all(transports).stream()
                .filter(rule -> !rule.isWarning() && !problems.isAnyRefused(rule.keys(), since))
                .forEach(rule -> rule.check(flow, problems));
    }

    private static void statusOfQueue(FlowConfig flow, ConfigProblems problems) {
        StatusConfig status = flow.status();
        if (status != null && !flow.from().isQueue() && !flow.to().isQueue()) {
            problems.add(
                    status.location(),
                    "'status' is for transactions that pass a queue, but flow '" + flow.name()
                            + "' answers directly; remove it");
        }
    }

    private static void wait(FlowConfig flow, ConfigProblems problems) {
        Configured<Duration> queue = flow.queue().time();
        if (queue != null && isLonger(queue, flow.deadline())) {
            problems.add(
                    queue.location(),
                    "'queue.time' is %s, longer than the deadline of %s; shorten it or raise the deadline"
                            .formatted(format(queue), format(flow.deadline())));
        }
    }

    private static void settle(FlowConfig flow, ConfigProblems problems) {
        SettleConfig settle = flow.settle();
        if (settle != null && !isLonger(flow.deadline(), settle.after())) {
            problems.add(
                    settle.after().locationOr(settle.location()),
                    "'settle.after' is %s, not shorter than the deadline of %s, so the status is never queried; shorten it or raise the deadline"
                            .formatted(format(settle.after()), format(flow.deadline())));
        }
    }

    private static void collapse(FlowConfig flow, ConfigProblems problems) {
        Configured<Budget> budget =
                flow.collapse() == null ? null : flow.collapse().budget();
        if (budget != null
                && budget.value() instanceof Budget.Time(Duration most)
                && most.compareTo(flow.deadline().value()) >= 0) {
            problems.add(
                    budget.location(),
                    "'collapse.budget' is %s, not shorter than the deadline of %s; shorten it or raise the deadline"
                            .formatted(Durations.format(most), format(flow.deadline())));
        }
    }

    private static void limit(FlowConfig flow, ConfigProblems problems) {
        if (flow.limit() instanceof LimitConfig.Bounds(Configured<Integer> min, Configured<Integer> max)
                && min.value() > max.value()) {
            problems.add(
                    min.location(),
                    "'limit.min' is " + min.value() + ", greater than 'limit.max' (" + max.value() + "); swap them");
        }
    }

    private static void adminPort(GatewayConfig config, ConfigProblems problems) {
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

    private static void poolWait(FlowConfig flow, ConfigProblems warnings) {
        Configured<Duration> wait = flow.to().pool().waiting();
        if (wait != null && isLonger(wait, flow.deadline())) {
            warnings.add(
                    wait.location(),
                    "flow '%s' waits up to %s for a connection, longer than its deadline of %s, which ends the wait; lower pool.wait"
                            .formatted(flow.name(), format(wait), format(flow.deadline())));
        }
    }

    private static void retryWithoutKey(FlowConfig flow, ConfigProblems warnings) {
        RetryConfig retry = flow.retry();
        if (retry != null
                && retry.attempts().value() > 1
                && retry.key() == null
                && flow.settle() == null
                && !flow.idempotent().value()
                && !flow.isRepeatableById()) {
            warnings.add(
                    retry.attempts().locationOr(retry.location()),
                    "flow '" + flow.name()
                            + "' retries without an idempotency key, so a request that may change data is only retried if it was certainly not sent; add for instance key: Idempotency-Key, idempotent: true, or settle");
        }
    }

    private static void attempts(FlowConfig flow, ConfigProblems warnings) {
        Configured<Duration> answer = flow.to().pool().responseTimeout();
        RetryConfig retry = flow.retry();
        if (answer == null || retry == null) {
            return;
        }
        int attempts = retry.attempts().value();
        Duration all = answer.value().multipliedBy(attempts);
        if (all.compareTo(flow.deadline().value()) > 0) {
            warnings.add(
                    answer.location(),
                    "%d attempts of up to %s take up to %s, longer than the deadline of %s, which cuts off the last attempts; lower response_timeout or attempts, or raise the deadline"
                            .formatted(attempts, format(answer), Durations.format(all), format(flow.deadline())));
        }
    }

    private static void settleAfterAnswer(FlowConfig flow, ConfigProblems warnings) {
        Configured<Duration> answer = flow.to().pool().responseTimeout();
        SettleConfig settle = flow.settle();
        if (answer != null
                && settle != null
                && answer.value()
                                .plus(settle.after().value())
                                .compareTo(flow.deadline().value())
                        >= 0) {
            warnings.add(
                    answer.location(),
                    "an answer may take up to %s and the status query follows %s later, but the deadline is %s, so a timed-out request stays unknown; lower response_timeout or settle.after, or raise the deadline"
                            .formatted(format(answer), format(settle.after()), format(flow.deadline())));
        }
    }

    private static void keysExpire(FlowConfig flow, ConfigProblems warnings) {
        DedupeConfig dedupe = flow.dedupe();
        if (dedupe != null && isLonger(flow.deadline(), dedupe.keep())) {
            warnings.add(
                    dedupe.keep().location(),
                    "'dedupe.keep' is %s, shorter than the deadline of %s, so a client that repeats a slow request may find its key expired and the request is executed twice; keep keys for as long as clients may retry"
                            .formatted(format(dedupe.keep()), format(flow.deadline())));
        }
    }

    private static void adminHost(GatewayConfig config, ConfigProblems warnings) {
        if (config.admin() != null) {
            Addresses.warnUnprotected("the admin pages listen", config.admin().host(), warnings);
        }
    }

    private static boolean isLonger(Configured<Duration> time, Configured<Duration> bound) {
        return time.value().compareTo(bound.value()) > 0;
    }

    private static String format(Configured<Duration> time) {
        return Durations.format(time.value());
    }
}
