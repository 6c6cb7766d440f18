package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.file.FlowSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The schema for editors agrees with the reader of flow files, and the reference of all keys is up to date. */
class SchemaTest {
    private static final Path REFERENCE = Path.of("../docs/reference.md");
    private static final int FILES = Integer.getInteger("penstock.files", 1_000);

    /** What a JSON Schema can say too. The bounds of durations and sizes, and the syntax of URLs, are for the reader alone. */
    private static final Pattern STRUCTURE = Pattern.compile(
            ": (unknown key .*|this version .*|'\\S+' was removed: .*|.* has no '(?!from)\\w+'; add .*"
                    + "|.* must be (a mapping|.* or a mapping|a whole number|a duration|a size|text|true or false)\\b.*"
                    + "|.*, which (is not a (duration|size|whole number)|has no unit);.*"
                    + "|.*, which is out of range; write a number .*|.* is combined with 'from\\..*|.* is combined with 'to\\..*"
                    + "|.* (is for a topic, but the source is a queue|(is combined with|does not apply to) '(get|key)');.*)");

    @TempDir
    private Path folder;

    private final Random random = new Random(28);
    private final List<String> words = words();

    private static List<String> words() {
        TreeSet<String> words = new TreeSet<>();
        FlowSchema.load().paths().forEach(path -> words.add(path.substring(path.lastIndexOf('.') + 1)));
        return List.copyOf(words);
    }

    @Test
    void agreesWithTheReaderOnMutatedFiles() throws Exception {
        List<JsonNode> bases = new ArrayList<>();
        for (String yaml : BASES) {
            bases.add(EditorSchema.JSON.valueToTree(
                    new Load(LoadSettings.builder().build()).loadFromString(yaml)));
        }
        Path file = folder.resolve("flows.yaml");
        int refused = 0;
        List<String> disagreements = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            ObjectNode mutated = (ObjectNode) bases.get(i % bases.size()).deepCopy();
            for (int n = random.nextInt(3); n >= 0; n--) {
                mutate(mutated);
            }
            Files.writeString(file, EditorSchema.JSON.writeValueAsString(mutated));
            List<String> ofReader = errors(file);
            List<String> ofSchema = EditorSchema.problems(mutated);
            refused += ofReader.isEmpty() ? 0 : 1;
            assertThat(ofReader).allMatch(line -> line.matches("\\S+/flows\\.yaml(:\\d+:\\d+)?: [^\\n]+"));
            boolean schemaAlone = !ofSchema.isEmpty() && ofReader.isEmpty();
            boolean readerAlone = ofSchema.isEmpty()
                    && ofReader.stream()
                            .anyMatch(line -> STRUCTURE.matcher(line).find() && !line.contains(" filled in"));
            if (schemaAlone || readerAlone) {
                disagreements.add(ofReader + " / " + ofSchema);
            }
        }
        assertThat(disagreements.stream().limit(20)).isEmpty();
        assertThat(refused).isBetween(FILES / 4, FILES - FILES / 50);
    }

    @Test
    void acceptsTheFilesThatAreMutated() {
        for (String yaml : BASES) {
            assertThat(EditorSchema.problems(yaml)).as(yaml).isEmpty();
        }
    }

    /** An editor reports what the reader reports: these keys need a topic. A shared that is false does not. */
    @ParameterizedTest
    @CsvSource({"subscription: s, true", "shared: true, true", "shared: false, false"})
    void aQueueHasNoSubscription(String key, boolean isRefused) throws Exception {
        String yaml = """
                flows:
                  a:
                    from: { jms: { url: embedded, queue: q, %s } }
                    to: { jms: { url: embedded, queue: other } }
                """.formatted(key);
        assertThat(EditorSchema.problems(yaml).isEmpty()).isNotEqualTo(isRefused);
        assertThat(errors(Files.writeString(folder.resolve("flows.yaml"), yaml)).size())
                .isEqualTo(isRefused ? 1 : 0);
    }

    @Test
    void theReferenceListsEveryKey() throws Exception {
        String page = Files.readString(REFERENCE);
        String head = page.substring(0, page.indexOf("\n## "));
        String current = head + FlowSchema.load().markdown();
        if (Boolean.getBoolean("penstock.write")) {
            Files.writeString(REFERENCE, current);
            page = current;
        }
        assertThat(page)
                .as("to write it: mvn -pl cli -am test -Dtest=SchemaTest -Dpenstock.write=true")
                .isEqualTo(current);
    }

    private static List<String> errors(Path file) {
        try {
            FlowFile.read(file, name -> "SET".equals(name) ? "1" : null);
            return List.of();
        } catch (BadConfig refused) {
            return refused.lines();
        }
    }

    private void mutate(ObjectNode root) {
        List<ObjectNode> mappings = new ArrayList<>();
        collect(root, mappings);
        ObjectNode mapping = mappings.get(random.nextInt(mappings.size()));
        List<String> keys = List.copyOf(mapping.propertyNames());
        String key = keys.isEmpty() ? null : keys.get(random.nextInt(keys.size()));
        switch (random.nextInt(5)) {
            case 0 -> mapping.set(words.get(random.nextInt(words.size())), value());
            case 1 -> {
                if (key != null) {
                    mapping.remove(key);
                }
            }
            case 2 -> {
                if (key != null) {
                    JsonNode value = mapping.remove(key);
                    mapping.set(key + "x", value);
                }
            }
            default -> {
                if (key != null) {
                    mapping.set(key, value());
                }
            }
        }
    }

    private static void collect(JsonNode node, List<ObjectNode> to) {
        if (node instanceof ObjectNode mapping) {
            to.add(mapping);
            mapping.propertyNames().forEach(name -> collect(mapping.get(name), to));
        } else if (node instanceof ArrayNode list) {
            list.forEach(each -> collect(each, to));
        }
    }

    private JsonNode value() {
        Object[] values = {
            0,
            1,
            -1,
            7,
            100_000_000,
            2.5,
            true,
            false,
            "",
            "x",
            "auto",
            "off",
            "embedded",
            "10s",
            "5",
            "3h",
            "64KB",
            "2GB",
            "${SET}",
            "${NOT_SET}",
            "/p",
            "http://h/",
            "jdbc:h2:mem:x",
            "Idempotency-Key",
            "a b",
            "10%",
            "1.1",
            List.of(),
            List.of(1, "a")
        };
        int choice = random.nextInt(values.length + 3);
        if (choice == values.length) {
            return EditorSchema.JSON.nullNode();
        }
        if (choice > values.length) {
            ObjectNode mapping = EditorSchema.JSON.createObjectNode();
            mapping.set(words.get(random.nextInt(words.size())), EditorSchema.JSON.valueToTree("5"));
            return mapping;
        }
        return EditorSchema.JSON.valueToTree(values[choice]);
    }

    private static final List<String> BASES = List.of("""
            flows:
              payments:
                from: { http: { port: 8080, path: /v1/payments, max_body: 1MB, max_connections: auto } }
                to:
                  http:
                    url: "https://gateway.example/v1"
                    headers: { X-Client: penstock }
                    version: 1.1
                    proxy: { url: "http://proxy.example:3128", user: me, password: secret }
                deadline: 5s
                dedupe: { key: Idempotency-Key, per: Tenant, keep: 24h, max_answer: 64KB }
                retry: { attempts: 3, key: Idempotency-Key }
                settle: { url: "https://gateway.example/v1/{Idempotency-Key}", absent_status: 404, after: 1s, queries: 3 }
                limit: { min: 10, max: 400 }
                queue: { time: 500ms, length: 1000, priority: Priority }
                breaker: { failure_percent: 90 }
                pool: { max: 400, wait: 1s, idle: 30s, connect_timeout: 2s, max_answer: 1MB }
              batches:
                from: { http: { port: 8080, path: /v1/batches } }
                to: { http: { url: "https://gateway.example/v1" } }
                collapse: { url: "https://gateway.example/v1/batch", format: ndjson, max: 10, budget: 10%, key: id, same: true }
              articles:
                from: { http: { port: 8080, path: /v1/articles } }
                to: { http: { url: "https://gateway.example/v1/articles" } }
                collapse: { get: "https://gateway.example/v1/list?ids={id}", join: ",", key: id }
              numbers:
                from: { http: { port: 8080, path: /v1/numbers } }
                to: { http: { url: "https://gateway.example/v1/numbers" } }
                collapse: { get: "https://gateway.example/v1/numbers?howMany={n}", weight: /howMany, max: 10 }
              servers:
                from: { http: { port: 8080, path: /v1/servers } }
                to: { http: { url: [ "https://one.example/v1", "https://two.example/v1" ] } }
              short:
                from: { http: { port: 8080, path: /v1/short } }
                to: { http: [ "https://one.example/v1", "https://two.example/v1" ] }
              shortest:
                from: { http: { port: 8080, path: /v1/shortest } }
                to: { http: "https://one.example/v1" }
            admin: { port: 9090, host: 127.0.0.1, token: 0123456789abcdef }
            pool: { max: 2000 }
            memory: 64MB
            shutdown: { drain: 30s }
            state: ./penstock-state
            store: embedded
            """, """
            flows:
              accept:
                from: { http: { port: 8080, path: /v1/payments } }
                to: { jms: { url: embedded, queue: payments, group: Customer-Id } }
                status: 24h
                collapse: { max: 100, budget: 20ms }
              process:
                from:
                  jms:
                    url: embedded
                    queue: payments
                    in_flight: 10
                    key: JMSMessageID
                    redeliver: { attempts: 5, backoff: 1s }
                    dead_letter: dead
                    reply_to: "replies.*"
                    max_body: 1MB
                to:
                  jdbc:
                    url: embedded
                    statement: "insert into payment values (:id, :amount)"
                    parameters: { id: { json: /id }, amount: { header: Amount } }
                collapse: { max: 10, key: id }
                pool: { max: 10 }
              prices:
                from: { jms: { url: embedded, topic: prices, subscription: billing, shared: true, selector: "amount > 100" } }
                to:
                  jms:
                    factory: { class: org.apache.qpid.jms.JmsConnectionFactory, properties: { remoteURI: "amqp://h", receiveLocalOnly: true } }
                    topic: copies
            broker: { port: 61616, user: me, password: secret }
            """, """
            flows:
              answers:
                from: { udp: { port: 9000, max_size: 2KB, burst: 1000, allow: [10.0.0.0/8], rate: 10/s, amplification: 1.5, id: { at: 0, length: 8 } } }
                to: { udp: { url: "udp://127.0.0.1:9001", id: header, once: true } }
                limit: 20
                breaker: off
              replaced:
                from: { udp: { port: 9002 } }
                to: { replace: { find: "a", with: "b" } }
            """, """
            flows:
              server:
                from: { http: { port: 8080, path: /orders } }
                to: { flow: plugin }
                limit: 50
              plugin:
                to: { flow: database }
                limit: { min: 1, max: 20 }
              database:
                to: { replace: [ { find: a, with: b }, { find: "(b+)", with: "<$1>", regex: true } ] }
                limit: 5
            """);
}
