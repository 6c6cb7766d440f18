package dev.penstock.kit.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ProgramsTest {
    @Test
    void prerequisitesOfTheReadmeAreThePackages() throws IOException {
        TreeSet<String> packages = new TreeSet<>();
        Programs.PACKAGES
                .values()
                .forEach(names -> packages.addAll(List.of(names.toString().split(" "))));

        assertThat(Files.readString(Path.of("../README.md")))
                .contains("(skipped without these) | `apt-get install " + String.join(" ", packages) + "` |");
    }

    @Test
    void missingProgramIsNamedWithItsPackage() {
        assertThat(Programs.find("no-such-program")).isEmpty();
        assertThat(Programs.missing("ab")).isEqualTo("ab was not found, on Debian: apt-get install apache2-utils");
        assertThatThrownBy(() -> Programs.path("no-such-program"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("no-such-program was not found");
    }
}
