package io.lambdafs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileContextTest {
    private static final EnumSet<CreateFlag> CREATE = EnumSet.of(CreateFlag.CREATE);

    @TempDir
    private Path directory;

    private TestService service;
    private FileContext context;

    @BeforeEach
    void open() throws IOException {
        service = new TestService(directory);
        Configuration conf = new Configuration(false);
        conf.set("lambdafs.dir", directory.toString());
        conf.set("lambdafs.user", "alice");
        conf.set("lambdafs.groups", "staff");
        conf.set("fs.permissions.umask-mode", "027");
        conf.set("fs.AbstractFileSystem.lambdafs.impl", LambdaAbstractFileSystem.class.getName());
        context = FileContext.getFileContext(URI.create("lambdafs://local/"), conf);
    }

    @AfterEach
    void close() {
        service.close();
    }

    private static org.apache.hadoop.fs.Path path(String text) {
        return new org.apache.hadoop.fs.Path(text);
    }

    private void write(String path, EnumSet<CreateFlag> flags, Options.CreateOpts... options) throws IOException {
        try (FSDataOutputStream out = context.create(path(path), flags, options)) {
            out.writeUTF(path);
        }
    }

    @Test
    void shouldWriteListAndReadBack() throws IOException {
        write("/a/b/f", CREATE, Options.CreateOpts.createParent());

        try (FSDataInputStream in = context.open(path("/a/b/f"))) {
            assertThat(in.readUTF()).isEqualTo("/a/b/f");
        }
        List<String> names = new ArrayList<>();
        RemoteIterator<FileStatus> listing = context.listStatus(path("/a/b"));
        while (listing.hasNext()) {
            names.add(listing.next().getPath().toString());
        }
        assertThat(names).containsExactly("lambdafs://local/a/b/f");
        assertThat(context.getHomeDirectory()).hasToString("lambdafs://local/user/alice");
        assertThat(context.util().exists(path("/a/none"))).isFalse();
        assertThat(context.delete(path("/a"), true)).isTrue();
    }

    @Test
    void shouldApplyItsUmaskOnce() throws IOException {
        context.setUMask(new FsPermission((short) 0002));
        context.mkdir(path("/d"), new FsPermission((short) 0777), false);
        write("/d/f", CREATE, Options.CreateOpts.perms(new FsPermission((short) 0666)));

        assertThat(service.namespace.attributes("/d").mode()).isEqualTo(0775);
        assertThat(service.namespace.attributes("/d/f").mode()).isEqualTo(0664);
    }

    @Test
    void shouldMakeParentsOnlyWhereAsked() throws IOException {
        assertThatThrownBy(() -> write("/x/f", CREATE)).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> context.mkdir(path("/x/y"), null, false)).isInstanceOf(FileNotFoundException.class);
        context.mkdir(path("/x/y"), null, true);
        assertThat(service.namespace.exists("/x/y")).isTrue();
    }

    @Test
    void shouldKeepToCreateFlags() throws IOException {
        assertThatThrownBy(() -> write("/f", EnumSet.of(CreateFlag.OVERWRITE)))
                .isInstanceOf(FileNotFoundException.class);
        write("/f", CREATE);
        assertThatThrownBy(() -> write("/f", CREATE)).isInstanceOf(FileAlreadyExistsException.class);
        write("/f", EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE));
        write("/f", EnumSet.of(CreateFlag.OVERWRITE));
        assertThatThrownBy(() -> write("/f", EnumSet.of(CreateFlag.APPEND)))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void shouldOverwriteByOneRename() throws IOException {
        write("/a", CREATE);
        write("/b", CREATE);
        assertThatThrownBy(() -> context.rename(path("/a"), path("/b"))).isInstanceOf(FileAlreadyExistsException.class);
        int before = service.namespace.asked();

        context.rename(path("/a"), path("/b"), Options.Rename.OVERWRITE);

        assertThat(service.namespace.asked() - before).as("requests").isEqualTo(1);
        try (FSDataInputStream in = context.open(path("/b"))) {
            assertThat(in.readUTF()).isEqualTo("/a");
        }
    }

    @Test
    void shouldHaveTheServiceJudgeAccess() throws IOException {
        write("/f", CREATE);
        context.access(path("/f"), FsAction.READ_WRITE);
        assertThatThrownBy(() -> context.access(path("/f"), FsAction.EXECUTE))
                .isInstanceOf(AccessControlException.class);
    }
}
