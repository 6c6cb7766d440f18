package dev.penstock.gateway.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that are valid alone but not together, and values that are probably unintended. */
class CrossFieldRulesTest {
    private static final String TO = ", to: { http: { url: \"http://127.0.0.1:9000/\" } } }\n";

    @TempDir
    Path folder;

    Written written;

    @BeforeEach
    void file() {
        written = new Written(folder);
    }

    private static String flow(String name, String http) {
        return "  " + name + ": { from: { http: { " + http + " } }" + TO;
    }

    @Test
    void rulesAreAboutDeclaredKeys() {
        FlowSchema schema = FlowSchema.load();
        assertThat(schema.rules().stream().flatMap(rule -> rule.keys().stream()))
                .hasSizeGreaterThan(80)
                .allMatch(key -> schema.paths().contains(key) || schema.paths().contains("flows.NAME." + key));
        assertThat(schema.rules().stream().map(rule -> rule.name() + rule.keys()))
                .doesNotHaveDuplicates();
    }

    @Test
    void warnsIfAStatusQueryMayFindTheRecordOfAnotherClient() throws BadConfig {
        String flow = "flows:\n  payments:\n    from: { http: { port: 8080, path: /x } }\n"
                + "    to: { http: { url: \"https://h/v1\"%s } }\n    retry: { attempts: 2 }\n    settle: { url: \"%s\"%s }\n";
        String credentials = ", headers: { Authorization: secret }";
        String line =
                "f.yaml:6:20: warning: flow 'payments' asks for the status of a transaction with its own credentials and"
                        + " only by the header Idempotency-Key, which every client chooses, so a client may get the record of another"
                        + " one; add a header that identifies the client, for instance /{Tenant}/{Idempotency-Key}";
        String byKey = "https://h/v1/{Idempotency-Key}";
        assertThat(written.warnings(flow.formatted(credentials, byKey, ""))).contains(line);
        assertThat(written.warnings(flow.formatted("", byKey, credentials))).contains(line);
        assertThat(written.warnings(flow.formatted("", byKey, ""))).doesNotContain(line);
        assertThat(written.warnings(flow.formatted(credentials, "https://other/v1/{Idempotency-Key}", "")))
                .doesNotContain(line);
        assertThat(written.warnings(flow.formatted(credentials, "https://h/{Tenant}/{Idempotency-Key}", "")))
                .noneMatch(warning -> warning.contains("record of another"));
    }

    @Test
    void rejectsTwoFlowsOnTheSamePortAndPath() throws BadConfig {
        assertThat(written.errors("flows:\n" + flow("a", "port: 8080, path: /x") + flow("b", "port: 8080, path: /x")))
                .containsExactly(
                        "f.yaml:3:42: flow 'b' uses the same port 8080 and path as flow 'a'; give it another path or port");
        written.read("flows:\n" + flow("a", "port: 8080, path: /x") + flow("b", "port: 8080, path: /y"));
        written.read("flows:\n" + flow("a", "port: 0, path: /x") + flow("b", "port: 0, path: /x"));
    }

    @Test
    void areCheckedBesideOtherErrors() {
        String flow =
                "flows:\n  a:\n    from: { http: { port: 8080, path: /x } }\n    to: { http: { url: http://x.example } }\n";
        String limit = "    limit: { min: 9, max: 3 }\n";
        String swapped = "f.yaml:5:19: 'limit.min' is 9, greater than 'limit.max' (3); swap them";

        assertThat(written.errors(flow + limit + "    deadlin: 3s\n"))
                .hasSize(2)
                .contains(swapped);
        assertThat(written.errors(flow + limit + "    deadline: soon\n    colour: red\n"))
                .hasSize(3)
                .contains(swapped);
        assertThat(written.errors(flow + "    limit: { min: 9, max: 3s }\n    queue: { time: 2m }\n    deadlin: 5m\n"))
                .hasSize(2)
                .noneMatch(line -> line.contains("swap them") || line.contains("longer than"));
        assertThat(written.errors(flow + "    queue: { time: 2m }\n    deadline: ${MISSING}\n"))
                .singleElement()
                .asString()
                .contains("MISSING");
    }

    @Test
    void aFleetMeetsInADatabaseAndHasOneServer() throws BadConfig {
        String store = "store: { url: \"jdbc:postgresql://db.example/penstock\" }\n";
        String flow =
                "flows:\n  a:\n    from: { http: { port: 8080, path: /x } }\n    to: { http: %s }\n    limit: { fleet: 400%s }\n";
        String one = "{ url: http://x.example }";

        LimitConfig limit = written.read(store + flow.formatted(one, ", safe: 50"))
                .config()
                .flows()
                .getFirst()
                .limit();
        assertThat(limit).isInstanceOfSatisfying(LimitConfig.Fleet.class, fleet -> {
            assertThat(fleet.total().value()).isEqualTo(400);
            assertThat(fleet.safe()).isNotNull().extracting(Configured::value).isEqualTo(50);
        });
        assertThat(written.errors(flow.formatted(one, "")))
                .containsExactly(
                        "f.yaml:5:21: 'limit.fleet' needs a PostgreSQL database in which the gateways meet; add store: { url:"
                                + " \"jdbc:postgresql://db.example/penstock\" }");
        assertThat(written.errors(store + flow.formatted("[ http://x.example, http://y.example ]", "")))
                .containsExactly(
                        "f.yaml:6:21: 'limit.fleet' is for one server, but flow 'a' has 2; give each a flow of its own,"
                                + " or remove fleet");
        assertThat(written.errors(store + flow.formatted(one, ", max: 300")))
                .singleElement()
                .asString()
                .contains("'limit.fleet' is combined with 'max'; remove one of the two");
        assertThat(written.errors(flow.formatted(one, "").replace("limit: { fleet: 400 }", "rate: { fleet: 9/s }")))
                .singleElement()
                .asString()
                .startsWith("f.yaml:5:20: 'rate.fleet' needs a PostgreSQL database");
        assertThat(written.errors(flow.formatted(one, "").replace("fleet: 400", "min: 3")))
                .containsExactly("f.yaml:5:5: limit has neither 'max' nor 'fleet'; add for instance max: 400");
    }

    @Test
    void ignoresTrailingSlashOfPath() {
        assertThat(written.errors("flows:\n" + flow("a", "port: 8080, path: /x") + flow("b", "port: 8080, path: /x/")))
                .containsExactly(
                        "f.yaml:3:42: flow 'b' uses the same port 8080 and path as flow 'a'; give it another path or port");
    }

    @Test
    void requiresNormalisedPath() {
        assertThat(written.errors("flows:\n" + flow("a", "port: 8080, path: /x//%70%c3%a4y")))
                .containsExactly(
                        "f.yaml:2:42: 'from.http.path' is \"/x//%70%c3%a4y\", but requests are matched by the normalised path; write /x/p%C3%A4y");
        assertThat(written.errors("flows:\n" + flow("a", "port: 8080, path: /x%zz")))
                .singleElement()
                .asString()
                .contains("which is not a path; write a path that begins with /");
    }

    @Test
    void warnsAboutNestedPathWithOtherGuarantees() throws BadConfig {
        String inner = "  b: { from: { http: { port: 8080, path: /x/y } }, dedupe: Idempotency-Key" + TO;
        assertThat(written.read("flows:\n" + inner + flow("a", "port: 8080, path: /x"))
                        .warnings())
                .containsExactly(
                        folder
                                + "/f.yaml:2:42: warning: the path of flow 'b', /x/y, is below that of flow 'a', /x, which differs in dedupe, so a request to another path of the same target resource gets different guarantees; give both flows the same settings, or paths that do not nest");
        String known = flow(
                "b",
                "port: 8080, path: /x/y, auth: { jwt: { issuer: i, audience: a, jwks: \"https://id.example/jwks\" } }");
        assertThat(written.read("flows:\n" + known + flow("a", "port: 8080, path: /x"))
                        .warnings())
                .singleElement()
                .asString()
                .contains(" which differs in auth, so ");
        assertThat(written.read("flows:\n" + inner + flow("a", "port: 8081, path: /x")
                                + flow("c", "port: 8080, path: /xx"))
                        .warnings())
                .isEmpty();
        assertThat(written.read("flows:\n" + flow("b", "port: 8080, path: /x/y") + flow("a", "port: 8080, path: /"))
                        .warnings())
                .isEmpty();
        assertThat(written.read("flows:\n" + inner + inner.replace("b:", "a:").replace("/x/y", "/x"))
                        .warnings())
                .isEmpty();
    }

    @Test
    void rejectsTwoFlowsOnOnePortOfOverlappingHosts() throws BadConfig {
        assertThat(written.errors("flows:\n" + flow("a", "port: 8080, path: /x")
                        + flow("b", "port: 8080, path: /y, host: 0.0.0.0, insecure: true")))
                .containsExactly(
                        "f.yaml:3:52: flow 'b' listens on port 8080 of 0.0.0.0, and flow 'a' on the same port of 127.0.0.1; use the same host for both, or different ports");
        written.read("flows:\n" + flow("a", "port: 8080, path: /x")
                + flow("b", "port: 8080, path: /y, host: localhost")
                + flow("c", "port: 8080, path: /x, host: 127.0.0.2"));
    }

    @Test
    void rejectsDifferentLimitsOfTheConnectionsToOnePort() throws BadConfig {
        for (String key : List.of("idle_time: 2s, 3 s", "max_connections: 2, 3")) {
            String name = key.substring(0, key.indexOf(':'));
            String[] limits = key.substring(name.length() + 2).split(", ");
            assertThat(written.errors("flows:\n" + flow("a", "port: 8080, path: /x, " + name + ": " + limits[0])
                            + flow("b", "port: 8080, path: /y, " + name + ": " + limits[1].replace(" ", ""))))
                    .singleElement()
                    .asString()
                    .contains("'from.http." + name + "' is " + limits[1] + ", and flow 'a' on the same port has ")
                    .endsWith("; use the same value for both");
        }
        written.read("flows:\n" + flow("a", "port: 8080, path: /x, idle_time: 2s") + flow("b", "port: 8080, path: /y"));
    }

    @Test
    void rejectsAdminOnThePortOfAFlow() throws BadConfig {
        String flows = "flows:\n" + flow("a", "port: 8080, path: /x");
        assertThat(written.errors(flows + "admin: { port: 8080 }\n"))
                .containsExactly(
                        "f.yaml:3:16: 'admin.port' is 8080, where flow 'a' listens; give the admin server another port");
        written.read(flows + "admin: { port: 8080, host: 127.0.0.2 }\n");
    }

    @Test
    void acceptsDefaultQueueTimeBeyondShortDeadline() throws BadConfig {
        assertThat(written.readWith("deadline: 100ms").warnings()).isEmpty();
        assertThat(written.errors(Written.FLOW + "    deadline: 100ms\n    queue: { time: 1s }\n"))
                .containsExactly(
                        "f.yaml:6:20: 'queue.time' is 1 s, longer than the deadline of 100 ms; shorten it or raise the deadline");
    }

    @Test
    void rejectsPoolLargerThanTotal() throws BadConfig {
        assertThat(written.errors(Written.FLOW + "    pool: { max: 3000 }\npool: { max: 2000 }\n"))
                .containsExactly(
                        "f.yaml:5:18: 'pool.max' of flow 'payments' is 3000, more than the total of 2000 for all flows; lower it, or raise the top-level pool.max");
        written.read(Written.FLOW + "    pool: { max: 2000 }\npool: { max: 2000 }\n");
        written.read(Written.FLOW + "    pool: { max: auto }\npool: { max: 1 }\n");
    }

    @Test
    void poolTotalMustBeANumber() {
        assertThat(written.errors(Written.FLOW + "pool: { idle: 30s }\n"))
                .containsExactly(
                        "f.yaml:5:1: the pool of all flows has no 'max'; add for instance max: 2000",
                        "f.yaml:5:9: unknown key 'idle' in the pool of all flows; known keys: max");
        assertThat(written.errors(Written.FLOW + "pool: { max: auto }\n"))
                .containsExactly(
                        "f.yaml:5:14: 'pool.max' must be a whole number, but this is the text \"auto\"; write a number from 1 to 1000000");
    }

    @Test
    void warnsAboutAWaitForAConnectionBeyondTheDeadline() throws BadConfig {
        assertThat(written.warnings(Written.FLOW + "    deadline: 2s\n    pool: { wait: 3s }\n"))
                .containsExactly(
                        "f.yaml:6:19: warning: flow 'payments' waits up to 3 s for a connection, longer than its deadline of 2 s, which ends the wait; lower pool.wait");
        assertThat(written.warnings(Written.FLOW + "    deadline: 2s\n    pool: { wait: 2s }\n"))
                .isEmpty();
    }

    @Test
    void warnsAboutListeningBeyondLoopback() throws BadConfig {
        assertThat(written.warnings("flows:\n" + flow("a", "port: 8080, path: /x, host: 0.0.0.0, insecure: true")
                        + "admin: { port: 9090, host: \"::\", insecure: true }\n"))
                .containsExactly(
                        "f.yaml:2:52: warning: flow 'a' listens on 0.0.0.0 without TLS or authentication; put a proxy with both in front of it, or use host 127.0.0.1",
                        "f.yaml:3:28: warning: the admin pages listen on :: without TLS or authentication; put a proxy with both in front of it, or use host 127.0.0.1");
        for (String host : new String[] {"127.0.0.1", "127.8.9.1", "\"::1\"", "localhost"}) {
            assertThat(written.warnings("flows:\n" + flow("a", "port: 8080, path: /x, host: " + host)))
                    .isEmpty();
        }
    }

    @Test
    void cleartextBeyondLoopbackIsSaidToBeIntended() {
        String remedy = " without TLS, so others on the way can read and change what is sent;"
                + " add tls: { certificate: server.pem, key: server.key }, use host 127.0.0.1, or write insecure: true"
                + " if something else protects the connections";
        assertThat(written.errors("flows:\n" + flow("a", "port: 8080, path: /x, host: 0.0.0.0")
                        + flow("b", "port: 8081, path: /x, host: gateway.example, insecure: false")
                        + "admin: { port: 9090, host: \"::\" }\n"))
                .containsExactly(
                        "f.yaml:2:52: flow 'a' listens on 0.0.0.0" + remedy,
                        "f.yaml:3:52: flow 'b' listens on gateway.example" + remedy,
                        "f.yaml:4:28: the admin server listens on ::" + remedy);
    }

    @Test
    void warnsAboutRetriesWithoutKey() throws BadConfig {
        assertThat(written.warnings(Written.FLOW + "    retry: { attempts: 2 }\n"))
                .containsExactly(
                        "f.yaml:5:24: warning: flow 'payments' retries without an idempotency key, so a request that may change data is only retried if it was certainly not sent; add for instance key: Idempotency-Key, idempotent: true, or settle");
        assertThat(written.warnings(Written.FLOW + "    retry: {}\n"))
                .singleElement()
                .asString()
                .startsWith("f.yaml:5:12: warning: ");
        for (String sighted : new String[] {
            "retry: { attempts: 1 }",
            "retry: { attempts: 2, key: Id }",
            "retry: { attempts: 2 }\n    idempotent: true",
            "retry: { attempts: 2 }\n    settle: { url: \"https://h/{Id}\" }"
        }) {
            assertThat(written.warnings(Written.FLOW + "    " + sighted + "\n"))
                    .as(sighted)
                    .isEmpty();
        }
        assertThat(written.warnings(Written.FLOW + "    retry: { attempts: 2 }\n    idempotent: false\n"))
                .hasSize(1);
    }

    @Test
    void warnsAboutIdempotentWithoutRetry() throws BadConfig {
        assertThat(written.warnings(Written.FLOW + "    idempotent: true\n"))
                .containsExactly(
                        "f.yaml:5:17: warning: flow 'payments' is idempotent but has no retry; add for instance retry: { attempts: 3 }");
        assertThat(written.warnings(Written.FLOW + "    idempotent: false\n")).isEmpty();
    }

    @Test
    void warnsWhenResponseTimeoutLeavesNoTimeToSettle() throws BadConfig {
        String settle = "    settle: { url: \"https://h/{Id}\", after: 2s }\n    deadline: 5s\n";
        assertThat(written.warnings(Written.FLOW + settle + "    pool: { response_timeout: 3s }\n"))
                .containsExactly(
                        "f.yaml:7:31: warning: an answer may take up to 3 s and the status query follows 2 s later, but the deadline is 5 s, so a timed-out request stays unknown; lower response_timeout or settle.after, or raise the deadline");
        assertThat(written.warnings(Written.FLOW + settle + "    pool: { response_timeout: 2s }\n"))
                .isEmpty();
        assertThat(written.warnings(Written.FLOW + settle)).isEmpty();
    }

    @Test
    void warnsAboutAttemptsBeyondTheDeadline() throws BadConfig {
        String retry = "    retry: { attempts: 3, key: Idempotency-Key }\n    deadline: 5s\n";
        assertThat(written.warnings(Written.FLOW + retry + "    pool: { response_timeout: 2s }\n"))
                .containsExactly(
                        "f.yaml:7:31: warning: 3 attempts of up to 2 s take up to 6 s, longer than the deadline of 5 s, which cuts off the last attempts; lower response_timeout or attempts, or raise the deadline");
        assertThat(written.warnings(Written.FLOW + retry + "    pool: { response_timeout: 1s }\n"))
                .isEmpty();
    }
}
