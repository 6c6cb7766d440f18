package dev.penstock.lab.compare.foreign;

import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads results of any supported generator; the format is detected from the content, not from the file's name. */
public final class ResultSource {
    private static final int HEAD = 8 << 10;

    private ResultSource() {}

    /**
     * Reads a Penstock result file, a JMeter JTL file (CSV), or a k6 summary (JSON).
     *
     * @param file the file
     * @param label for a JTL file, the label of the samples to count; null for all
     * @throws IOException when it is none of these or cannot be read; the message names the file and says what to do
     */
    public static ResultFile read(Path file, @Nullable String label) throws IOException {
        return readIfAny(file, label)
                .orElseThrow(() -> new IOException(file + " contains no results: use a result file written with --json,"
                        + " a JMeter JTL file (CSV with a header) or a k6 summary (JSON)"));
    }

    /**
     * As {@link #read}, but empty for a text that is none of these.
     *
     * @throws IOException when it cannot be read; the message names the file and says what to do
     */
    public static Optional<ResultFile> readIfAny(Path file, @Nullable String label) throws IOException {
        String begin = head(file).replace("\uFEFF", "").stripLeading();
        if (begin.startsWith("{")) {
            return Optional.of(json(file));
        }
        if (begin.startsWith("<")) {
            throw new IOException(file + " is XML: let JMeter write its results as CSV"
                    + " (jmeter.save.saveservice.output_format=csv), or save them as CSV from a listener");
        }
        String separator = JtlFile.separator(begin.lines().findFirst().orElse(""));
        if (separator == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(JtlFile.read(file, separator, label));
        } catch (IOException e) {
            throw new IOException(file + " cannot be read as a JTL file: " + e.getMessage(), e);
        }
    }

    private static String head(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(HEAD), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new IOException(file + " does not exist: use an existing file of results", e);
        } catch (IOException e) {
            String kind = e.getClass().getSimpleName();
            throw new IOException("cannot read " + file + ": use a readable file of results (" + kind + ")", e);
        }
    }

    private static ResultFile json(Path file) throws IOException {
        if (Files.size(file) > ResultFile.MAX_BYTES) {
            throw new IOException(file + " is larger than " + (ResultFile.MAX_BYTES >> 20)
                    + " MB: use the summary of k6 (--summary-export), not its samples");
        }
        JsonNode root;
        try {
            root = JsonMapper.shared().readTree(Files.readString(file, StandardCharsets.UTF_8));
        } catch (JacksonException | IOException e) {
            throw new IOException(file + " is not valid JSON: use a complete file", e);
        }
        if (root.has("type") && root.has("metric")) {
            throw new IOException(file + " contains the samples of k6: use its summary (--summary-export)");
        }
        if (!K6Summary.looksLike(root)) {
            return ResultFile.read(file);
        }
        try {
            return K6Summary.read(file, root);
        } catch (IOException e) {
            throw new IOException(file + " cannot be compared: " + e.getMessage(), e);
        }
    }
}
