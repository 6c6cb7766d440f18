package dev.penstock.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFilesTest {
    @TempDir
    private Path folder;

    static String permissions(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void open(Path path) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    void whatIsMadeIsPrivateAndWhatIsThereIsLeft() throws Exception {
        open(folder);
        Path file = folder.resolve("a/b/file");
        PrivateFiles.createFile(file);
        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(permissions(folder.resolve("a/b"))).isEqualTo("rwx------");
        assertThat(permissions(folder.resolve("a"))).isEqualTo("rwx------");
        assertThat(permissions(folder)).isEqualTo("rwxrwxrwx");
    }

    @Test
    void whatExistsIsTightenedAndKeepsItsBytes() throws Exception {
        Path file = folder.resolve("a/b/file");
        PrivateFiles.createFile(file);
        Files.writeString(file, "kept");
        open(file);
        open(folder.resolve("a/b"));
        PrivateFiles.createFile(file);
        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(file).content().isEqualTo("kept");
        open(file);
        PrivateFiles.tighten(folder.resolve("a"));
        assertThat(permissions(file)).isEqualTo("rw-------");
        assertThat(permissions(folder.resolve("a/b"))).isEqualTo("rwx------");
        PrivateFiles.tighten(folder.resolve("nothing"));
        assertThat(folder.resolve("nothing")).doesNotExist();
    }

    @Test
    void aLinkIsNotFollowed() throws Exception {
        Path outside = Files.writeString(folder.resolve("outside"), "of somebody else");
        open(outside);
        PrivateFiles.createFolder(folder.resolve("own"));
        Files.createSymbolicLink(folder.resolve("own/link"), outside);
        PrivateFiles.tighten(folder.resolve("own"));
        assertThat(permissions(outside)).isEqualTo("rwxrwxrwx");
    }
}
