package dev.penstock.cli.find;

import dev.penstock.cli.top.AdminPages;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.file.FlowFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is found about transactions. Not thread-safe. */
public final class Found {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String RECORDS = ".jsonl";

    /** The most records that are kept and shown: the last ones. */
    static final int MOST = 100;

    private final Wanted wanted;
    /** By flow, id and time, so that a record is not shown twice. */
    private final SequencedMap<String, JsonNode> records = new LinkedHashMap<>();

    private final List<String> stored = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private int leftOut;

    private Found(Wanted wanted) {
        this.wanted = wanted;
    }

    /**
     * Searches.
     *
     * @param place a flow file, a file or folder of records, or the address of a running gateway
     * @throws BadConfig the flow file has errors
     * @throws IOException the place cannot be read; the message says what to do
     */
    public static Found in(String place, Wanted wanted) throws BadConfig, IOException, InterruptedException {
        Found found = new Found(wanted);
        Path path = Path.of(place.contains("://") ? "" : place);
        if (place.contains("://") || (!Files.exists(path) && place.matches("[^/]*:\\d+"))) {
            found.ask(place);
        } else if (Files.isDirectory(path)) {
            found.readFolder(path, RECORDS);
        } else if (path.toString().contains(RECORDS)) {
            found.readRotated(path);
        } else {
            found.readFlowFile(path);
        }
        return found;
    }

    private void ask(String address) throws IOException, InterruptedException {
        try (AdminPages pages = AdminPages.of(address)) {
            JsonNode all = pages.json(wanted.page());
            // The gateway begins with the last one.
            all.path("records").valueStream().toList().reversed().forEach(this::add);
            all.path("stored").forEach(sentence -> stored.add(sentence.asString("")));
            if (!all.path("on").asBoolean(false)) {
                notes.add(
                        "the gateway keeps no records: add transactions: { sample: errors+slow+1% } to its flow file");
            }
        }
    }

    private void readFlowFile(Path file) throws BadConfig, IOException, InterruptedException {
        GatewayConfig config = FlowFile.read(file).config();
        readRotated(config.transactionsFile());
        AdminConfig admin = config.admin();
        String remedy = "; give the address of its admin port to search its key store, status store and dead letters";
        if (admin == null || admin.port().value() == 0) {
            notes.add("the flow file has no fixed admin port" + remedy);
            return;
        }
        try {
            ask((admin.tls() == null ? "http://" : "https://") + admin.host().value() + ":"
                    + admin.port().value());
        } catch (IOException notRunning) {
            notes.add(notRunning.getMessage() + "; key store, status store and dead letters were not searched");
        }
    }

    private void readRotated(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null && Files.isDirectory(folder)) {
            readFolder(folder, file.getFileName().toString());
        }
    }

    /** Reads the files of a name and those that were full, the oldest first. */
    private void readFolder(Path folder, String name) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.getFileName().toString().matches(".*\\Q" + name + "\\E(\\.\\d+)?"))
                    .sorted(Comparator.comparingLong(
                            (Path file) -> file.toFile().lastModified()))
                    .toList();
        }
        for (Path file : files) {
            try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
                lines.filter(wanted::mayBe).forEach(this::parse);
            }
        }
    }

    /** A line may be cut, where the disk was full. */
    private void parse(String line) {
        try {
            JsonNode record = JSON.readTree(line);
            if (wanted.is(record)) {
                add(record);
            }
        } catch (JacksonException cut) {
            return;
        }
    }

    private void add(JsonNode record) {
        records.put(
                Wanted.text(record, "flow") + " " + Wanted.text(record, "id") + " " + Wanted.text(record, "at"),
                record);
        if (records.size() > MOST) {
            leftOut++;
            records.pollFirstEntry();
        }
    }

    /** Whether nothing is found. */
    public boolean isEmpty() {
        return records.isEmpty() && stored.isEmpty();
    }

    /** All that is found, for people. */
    public String text() {
        StringBuilder text = new StringBuilder();
        records.values().stream()
                .sorted(Comparator.comparing(Wanted::at))
                .forEach(record -> TransactionTimeLine.of(record, text));
        if (leftOut > 0) {
            text.append(leftOut)
                    .append(" earlier transactions are left out; narrow with --flow, --ending or --since\n");
        }
        stored.forEach(
                sentence -> text.append(TransactionTimeLine.printable(sentence)).append('\n'));
        return text.toString();
    }

    /** Where could not be searched, a sentence each. */
    public List<String> notes() {
        return List.copyOf(notes);
    }
}
