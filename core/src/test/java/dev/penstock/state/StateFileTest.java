package dev.penstock.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.StateFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {
    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("made/on/demand/state");
    }

    @Test
    void whatWasKeptIsThereAfterARestart() {
        StateFile.at(file()).keep("ledger.kill", "alive=3s dead=5s");

        assertThat(StateFile.at(file()).value("ledger.kill")).isEqualTo("alive=3s dead=5s");
        assertThat(StateFile.at(file()).value("another")).isNull();
    }

    @Test
    void theLaterValueStays() {
        StateFile state = StateFile.at(file());
        state.keep("a", "1");
        state.keep("b", "2");
        state.keep("a", "3");

        assertThat(file()).content().endsWith("a 3\nb 2\n");
    }

    @Test
    void onlyItsUserMayReadIt() throws Exception {
        StateFile.at(file()).keep("a", "1");
        assertThat(PrivateFilesTest.permissions(file())).isEqualTo("rw-------");
        assertThat(PrivateFilesTest.permissions(folder.resolve("made/on/demand")))
                .isEqualTo("rwx------");
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(StateFile.at(file()).value("a")).isEqualTo("1");
        assertThat(PrivateFilesTest.permissions(file())).isEqualTo("rw-------");
    }

    @Test
    void leavesNothingButTheFile() throws Exception {
        StateFile.at(file()).keep("a", "1");

        try (Stream<Path> all = Files.list(file().getParent())) {
            assertThat(all).containsExactly(file());
        }
    }

    @Test
    void aGarbledFileLosesOnlyWhatIsGarbled() throws Exception {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), "\u0000\u0001\nno-value\n a\nkept 7\n=\n");

        assertThat(StateFile.at(file()).value("kept")).isEqualTo("7");
    }

    /** Else a file that grew by hand would be held in memory, and written as a whole with each change. */
    @Test
    void readsNoMoreValuesThanItKeeps() throws Exception {
        Files.createDirectories(file().getParent());
        Files.write(
                file(),
                IntStream.rangeClosed(1, StateFile.MOST + 1)
                        .mapToObj(i -> "n" + i + " 1")
                        .toList());

        StateFile state = StateFile.at(file());

        assertThat(state.value("n" + StateFile.MOST)).isEqualTo("1");
        assertThat(state.value("n" + (StateFile.MOST + 1))).isNull();
    }

    /** One that cannot be written would keep all others from being written. */
    @Test
    void halfOfASurrogatePairIsRefused() {
        StateFile state = StateFile.at(file());

        assertThatThrownBy(() -> state.keep("a", "\ud800")).isInstanceOf(IllegalArgumentException.class);
        state.keep("b", "\ud83d\ude00");

        assertThat(StateFile.at(file()).value("b")).isEqualTo("\ud83d\ude00");
    }

    @Test
    void aFolderInItsPlaceIsNoHarm() throws Exception {
        Files.createDirectories(file().resolve("something"));
        StateFile state = StateFile.at(file());

        state.keep("a", "1");

        assertThat(state.value("a")).isEqualTo("1");
    }

    @Test
    void withoutAFileValuesLastAsLongAsTheProcess() {
        StateFile state = StateFile.none();
        state.keep("a", "1");

        assertThat(state.value("a")).isEqualTo("1");
    }

    @Test
    void refusesWhatCouldNotBeReadBack() {
        StateFile state = StateFile.none();

        assertThatThrownBy(() -> state.keep("with space", "1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> state.keep("a", "two\nlines")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> state.keep("a", " ")).isInstanceOf(IllegalArgumentException.class);
        assertThat(StateFile.name("jdbc:h2:mem:a b;X=\"1\"")).isEqualTo("jdbc:h2:mem:a-b-X=-1-");
        assertThat(StateFile.name("; ")).isEqualTo("unnamed");
    }
}
