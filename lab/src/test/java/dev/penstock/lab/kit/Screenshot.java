package dev.penstock.lab.kit;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Saves a picture of a web page as PNG. {@code docs/pictures/make} runs it. */
public final class Screenshot {
    private Screenshot() {}

    /**
     * Opens the page, leaves it open for some time, and takes the picture of its top.
     *
     * @param args the URL, the file to write, width and height in pixels, and the time in seconds
     */
    public static void main(String[] args) throws Exception {
        URI page = URI.create(args[0]);
        Path file = Path.of(args[1]);
        int width = Integer.parseInt(args[2]);
        int height = Integer.parseInt(args[3]);
        int seconds = Integer.parseInt(args[4]);
        Path profile = Files.createTempDirectory("penstock-picture");
        try (Chromium chromium = Chromium.start(profile)) {
            Chromium.Tab tab = chromium.tab().sized(width, height).load(page);
            tab.value("new Promise(done => setTimeout(done, %d))".formatted(1_000L * seconds));
            Files.write(file, tab.picture(0, 0, width, height));
        }
        try (Stream<Path> files = Files.walk(profile)) {
            for (Path left : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(left);
            }
        }
    }
}
