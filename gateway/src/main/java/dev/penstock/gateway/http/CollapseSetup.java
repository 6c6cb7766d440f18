package dev.penstock.gateway.http;

import dev.penstock.Collapse;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.Key;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.batch.BatchFormat;
import dev.penstock.http.batch.GetBatch;
import dev.penstock.http.batch.HttpBatch;
import dev.penstock.http.batch.JsonBatch;
import dev.penstock.http.pool.ConnectionTotal;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Builds the batches of a flow and the collapse stage. Opens nothing.
 *
 * <p>A batch URL on the host of the target uses its connections and its configured headers. They are not sent to any
 * other host, because they may be secrets.
 */
final class CollapseSetup {
    private CollapseSetup() {}

    /** @param callerHeaders the headers with the names of callers, whose requests never share a batch */
    static @Nullable HttpBatch batch(
            FlowConfig config,
            HttpTo to,
            HttpTarget target,
            @Nullable ConnectionTotal total,
            Set<String> callerHeaders) {
        if (!(config.collapse() instanceof HttpCollapse collapse)) {
            return null;
        }
        URI url = URI.create(collapse.url().value());
        HttpTarget batchTarget = sharesConnections(config, to)
                ? collapse.get() == null ? target.on(pathAndQuery(url)) : target.onHost()
                : TargetSetup.batchTarget(to, url, collapse.headers(), total);
        HttpBatch batch = HttpBatch.over(batchTarget, format(collapse))
                .formatOrigin(collapse.get() == null ? collapse.format().origin() : Origin.GIVEN)
                .onPath(config.from().base());
        batch = batch.naming(FieldNames.keys(config).toArray(String[]::new));
        Configured<String> inBody = collapse.inBody();
        batch = inBody == null ? batch : batch.inBody(inBody.value());
        Configured<List<String>> per = collapse.per();
        if (per != null) {
            Set<String> scope = new TreeSet<>(per.value());
            scope.addAll(callerHeaders);
            batch = batch.per(scope.toArray(new String[0]));
        }
        return collapse.halve().value() ? batch : batch.whole();
    }

    /** Whether batches use the connections of the flow's target. */
    static boolean sharesConnections(FlowConfig config, HttpTo to) {
        return config.collapse() instanceof HttpCollapse collapse
                && collapse.headers() == null
                && TargetSetup.isSameHost(
                        URI.create(collapse.url().value()), to.url().value());
    }

    private static String pathAndQuery(URI url) {
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }

    private static BatchFormat format(HttpCollapse collapse) {
        GetBatch get = collapse.get();
        if (get == null) {
            return jsonFormat(collapse);
        }
        get = get.join(collapse.join().value());
        Configured<String> key = collapse.key();
        get = key == null ? get : get.byKey(key.value());
        Configured<String> weight = collapse.weight();
        return weight == null ? get : get.byWeight(weight.value());
    }

    private static JsonBatch jsonFormat(HttpCollapse collapse) {
        JsonBatch format = switch (collapse.format().value()) {
            case JSON_ARRAY -> JsonBatch.array();
            case NDJSON -> JsonBatch.lines();
        };
        Configured<String> key = collapse.key();
        format = key == null ? format : format.byKey(key.value());
        Configured<String> status = collapse.status();
        return status == null ? format : format.status(status.value());
    }

    static Collapse<HttpCall, HttpAnswer> collapse(HttpCollapse config, HttpBatch batch, HttpTarget alone) {
        Collapse<HttpCall, HttpAnswer> collapse = batch.collapse().alone(alone);
        if (config.same().value()) {
            collapse = collapse.same(call -> ByteBuffer.wrap(call.body()));
        }
        return config.bounded(collapse);
    }

    /** The settings that the batches do not list themselves. */
    static List<Setting> settings(FlowConfig config, Instant since) {
        if (!(config.collapse() instanceof HttpCollapse collapse)) {
            return List.of();
        }
        return Stream.of(
                        shown(HttpCollapse.KEY, collapse.key(), "the member that matches answers to requests", since),
                        shown(HttpCollapse.JOIN, collapse.join(), "the text between two ids in the URL", since),
                        shown(
                                HttpCollapse.WEIGHT,
                                collapse.weight(),
                                "the query parameter with how much a request asks for",
                                since),
                        shown(HttpCollapse.STATUS, collapse.status(), "the member with the status of an answer", since),
                        shown(
                                HttpCollapse.SAME,
                                collapse.same(),
                                "whether equal requests in a batch are sent once",
                                since))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Setting> shown(Key<?> key, @Nullable Configured<?> given, String reason, Instant since) {
        return Optional.ofNullable(given)
                .filter(Configured::inFile)
                .map(value -> key.setting("collapse.", value.value() + "", reason, since, value));
    }
}
