package dev.penstock.gateway.file;

import static dev.penstock.gateway.config.Rule.fileError;
import static dev.penstock.gateway.config.Rule.flowError;
import static dev.penstock.gateway.config.Rule.flowWarning;

import dev.penstock.gateway.config.CollapseKind.Budget;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.RateConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.config.SettleConfig;
import dev.penstock.gateway.config.StoreConfig;
import dev.penstock.gateway.transport.Transports;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What must hold between the keys of all flows. Each transport has a list like this for its own keys. */
final class CrossFieldRules {
    private static final List<Rule<?>> RULES = List.of(
            flowError("only flows with a queue have a status", "status from to", CrossFieldRules::statusOfQueue),
            flowError("a status is asked over HTTP", "settle to", CrossFieldRules::statusOverHttp),
            flowError(
                    "waits end before the deadline",
                    "queue.time settle.after collapse.budget deadline",
                    CrossFieldRules::waits),
            flowError("the bounds of the limit are in order", "limit.min limit.max", CrossFieldRules::limit),
            fileError(
                    "the gateways of a fleet have a database to meet in",
                    "limit.fleet rate.fleet store.url",
                    CrossFieldRules::fleets),
            flowWarning("a request is safe to retry", "retry.key idempotent settle", CrossFieldRules::retryWithoutKey),
            flowWarning(
                    "all attempts and status queries fit into the deadline",
                    "pool.wait pool.response_timeout retry.attempts settle.after deadline",
                    CrossFieldRules::answers),
            flowWarning("keys outlive their transaction", "dedupe.keep deadline", CrossFieldRules::keysExpire));

    private CrossFieldRules() {}

    /** The rules of all flows, then those of each transport. */
    static List<Rule<?>> all(Transports transports) {
        return Stream.of(
                        RULES.stream(),
                        ListenerRules.ALL.stream(),
                        PrivateFileRules.ALL.stream(),
                        transports.all().stream().flatMap(one -> one.rules().stream()))
                .flatMap(rules -> rules)
                .toList();
    }

    /** Checks the rules about a flow, or those about a file. */
    static void check(Object flowOrFile, boolean warnings, Transports transports, ConfigProblems problems) {
        all(transports).stream()
                .filter(rule -> rule.isWarning() == warnings)
                .forEach(rule -> rule.check(flowOrFile, problems));
    }

    /** What is valid but probably unintended. */
    static ConfigProblems warnings(GatewayConfig config, Transports transports) {
        ConfigProblems found = new ConfigProblems();
        config.flows().forEach(flow -> check(flow, true, transports, found));
        check(config, true, transports, found);
        return found;
    }

    /** Checks the rules about a flow whose file has errors, as far as the keys of a rule have none since then. */
    static void errors(FlowConfig flow, int since, Transports transports, ConfigProblems problems) {
        all(transports).stream()
                .filter(rule -> !rule.isWarning() && !problems.isAnyRefused(rule.keys(), since))
                .forEach(rule -> rule.check(flow, problems));
    }

    private static void statusOfQueue(FlowConfig flow, ConfigProblems problems) {
        Configured<Duration> status = flow.status();
        if (status != null && !flow.from().isQueue() && !flow.to().isQueue()) {
            problems.add(
                    status.location(),
                    "'status' is for transactions that pass a queue, but flow '" + flow.name()
                            + "' answers directly; remove it");
        }
    }

    /** Queries of a status are HTTP requests. */
    private static void statusOverHttp(FlowConfig flow, ConfigProblems problems) {
        SettleConfig settle = flow.settle();
        if (settle != null && !flow.to().canBeQueried()) {
            problems.add(
                    settle.location(),
                    "'settle' queries over HTTP, but the target of flow '" + flow.name() + "' is "
                            + flow.to().kind() + "; remove it");
        }
    }

    private static void waits(FlowConfig flow, ConfigProblems problems) {
        Configured<Duration> queue = flow.queue().time();
        if (queue != null && isLonger(queue, flow.deadline())) {
            tooLong("'queue.time' is %s, longer than the deadline of %s", queue, queue.location(), flow, problems);
        }
        SettleConfig settle = flow.settle();
        if (settle != null && !isLonger(flow.deadline(), settle.after())) {
            tooLong(
                    "'settle.after' is %s, not shorter than the deadline of %s, so the status is never queried",
                    settle.after(), settle.after().locationOr(settle.location()), flow, problems);
        }
        Configured<Budget> budget =
                flow.collapse() == null ? null : flow.collapse().budget();
        if (budget != null
                && budget.value() instanceof Budget.Time(Duration most)
                && most.compareTo(flow.deadline().value()) >= 0) {
            tooLong(
                    "'collapse.budget' is %s, not shorter than the deadline of %s",
                    Configured.byDefault(most), budget.location(), flow, problems);
        }
    }

    private static void tooLong(
            String text, Configured<Duration> wait, FileLocation at, FlowConfig flow, ConfigProblems problems) {
        problems.add(at, text.formatted(format(wait), format(flow.deadline())) + "; shorten it or raise the deadline");
    }

    private static void limit(FlowConfig flow, ConfigProblems problems) {
        if (flow.limit() instanceof LimitConfig.Bounds(Configured<Integer> min, Configured<Integer> max)
                && min.value() > max.value()) {
            problems.add(
                    min.location(),
                    "'limit.min' is " + min.value() + ", greater than 'limit.max' (" + max.value() + "); swap them");
        }
    }

    private static void fleets(GatewayConfig config, ConfigProblems problems) {
        for (FlowConfig flow : config.flows()) {
            if (flow.limit() instanceof LimitConfig.Fleet fleet) {
                fleet("limit", flow, fleet.total().location(), config.store().value(), problems);
            }
            RateConfig rate = flow.rate();
            if (rate != null && rate.fleet()) {
                fleet("rate", flow, rate.perSecond().location(), config.store().value(), problems);
            }
        }
    }

    private static void fleet(
            String key, FlowConfig flow, FileLocation at, StoreConfig store, ConfigProblems problems) {
        if (!(store instanceof StoreConfig.Database database) || !database.isPostgres()) {
            problems.add(
                    at,
                    "'" + key + ".fleet' needs a PostgreSQL database in which the gateways meet; add store: { url:"
                            + " \"jdbc:postgresql://db.example/penstock\" }");
        }
        if (flow.to().endpoints() > 1) {
            problems.add(
                    at,
                    "'" + key + ".fleet' is for one server, but flow '" + flow.name() + "' has "
                            + flow.to().endpoints() + "; give each a flow of its own, or remove fleet");
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
                            + "' retries without an idempotency key, so a request that may change data is only"
                            + " retried if it was certainly not sent; add for instance key: Idempotency-Key, idempotent: true, or"
                            + " settle");
        }
    }

    private static void answers(FlowConfig flow, ConfigProblems warnings) {
        Configured<Duration> deadline = flow.deadline();
        Configured<Duration> wait = flow.to().pool().waiting();
        if (wait != null && isLonger(wait, deadline)) {
            warnings.add(
                    wait.location(),
                    ("flow '%s' waits up to %s for a connection, longer than its deadline of %s, which ends the wait;"
                                    + " lower pool.wait")
                            .formatted(flow.name(), format(wait), format(deadline)));
        }
        Configured<Duration> answer = flow.to().pool().responseTimeout();
        if (answer == null) {
            return;
        }
        RetryConfig retry = flow.retry();
        int attempts = retry == null ? 0 : retry.attempts().value();
        Duration all = answer.value().multipliedBy(attempts);
        if (all.compareTo(deadline.value()) > 0) {
            warnings.add(
                    answer.location(),
                    ("%d attempts of up to %s take up to %s, longer than the deadline of %s, which cuts off the last attempts;"
                                    + " lower response_timeout or attempts, or raise the deadline")
                            .formatted(attempts, format(answer), Durations.format(all), format(deadline)));
        }
        SettleConfig settle = flow.settle();
        if (settle != null && answer.value().plus(settle.after().value()).compareTo(deadline.value()) >= 0) {
            warnings.add(
                    answer.location(),
                    ("an answer may take up to %s and the status query follows %s later, but the deadline is %s, so a timed-out"
                                    + " request stays unknown; lower response_timeout or settle.after, or raise the deadline")
                            .formatted(format(answer), format(settle.after()), format(deadline)));
        }
    }

    private static void keysExpire(FlowConfig flow, ConfigProblems warnings) {
        DedupeConfig dedupe = flow.dedupe();
        if (dedupe != null && isLonger(flow.deadline(), dedupe.keep())) {
            warnings.add(
                    dedupe.keep().location(),
                    ("'dedupe.keep' is %s, shorter than the deadline of %s, so a client that repeats a slow request may find its"
                                    + " key expired and the request is executed twice; keep keys for as long as clients may retry")
                            .formatted(format(dedupe.keep()), format(flow.deadline())));
        }
    }

    private static boolean isLonger(Configured<Duration> time, Configured<Duration> bound) {
        return time.value().compareTo(bound.value()) > 0;
    }

    private static String format(Configured<Duration> time) {
        return Durations.format(time.value());
    }
}
