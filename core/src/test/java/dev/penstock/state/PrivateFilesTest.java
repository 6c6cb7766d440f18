package dev.penstock.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
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
    void findsWhatOthersCanRead() throws Exception {
        Path file = Files.writeString(folder.resolve("key"), "s3cr3t");
        Path inside = Files.createDirectories(folder.resolve("store/inside"));
        open(folder);
        for (String mode : List.of("rw-------", "rwx--x--x", "rw--w--w-")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            assertThat(PrivateFiles.exposure(file)).as(mode).isNull();
        }
        for (String mode : List.of("rw-r-----", "rw----r--", "rw-r--r--")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            assertThat(PrivateFiles.exposure(file)).as(mode).isEqualTo("other users can read; chmod 600 " + file);
        }
        Files.setPosixFilePermissions(inside, PosixFilePermissions.fromString("rwx--x---"));
        assertThat(PrivateFiles.exposure(inside)).isEqualTo("other users can read; chmod 700 " + inside);
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        assertThat(PrivateFiles.exposure(link)).isEqualTo("other users can read; chmod 600 " + link);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        assertThat(PrivateFiles.exposure(file)).isNull();
        assertThat(PrivateFiles.exposure(inside)).isNull();
        assertThat(PrivateFiles.exposure(folder.resolve("none"))).isNull();
    }

    @Test
    void aFileThatRootGivesToAGroupIsPrivate() throws Exception {
        Path file = Files.writeString(folder.resolve("key"), "s3cr3t");
        open(folder);
        assumeTrue(Files.getOwner(file).getName().equals("root"), "only root can make a file of root");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r-----"));
        assertThat(PrivateFiles.exposure(file, "penstock")).isNull();
        assertThat(PrivateFiles.exposure(file, "root")).isNotNull();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        assertThat(PrivateFiles.exposure(file, "penstock")).isNotNull();
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
