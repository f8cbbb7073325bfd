package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Schema;
import io.lambdafs.store.format.FormatLevel;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Extended attributes of files and directories. */
class XattrsTest extends BlockFileCase {
    private static final FsPath DIRECTORY = PATH.parent();
    private static final byte[] ONE = {1};

    @BeforeEach
    void makeFile() {
        create(PATH, BLOCK_SIZE, (byte) 7);
    }

    private static AttributeOperation.SetXattr set(FsPath path, String name, byte... value) {
        return new AttributeOperation.SetXattr(path, name, value, true, true);
    }

    private Reply.Xattrs get(FsPath path) {
        return (Reply.Xattrs) cluster.call(new ReadOperation.GetXattrs(path, true));
    }

    private @Nullable ErrorCode refusal(Operation<?> operation) {
        return cluster.owner(operation).call(OTHER, operation) instanceof Reply.Failure failure ? failure.code() : null;
    }

    private long rows() {
        return cluster.rows().stream()
                .filter(row -> row.key().table().equals(Schema.XATTRS))
                .count();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/d/file", "/d", "/"})
    void shouldSetReplaceListAndRemove(String text) {
        FsPath path = FsPath.of(text);
        assertThat(get(path).values()).isEmpty();
        refused(ErrorCode.NO_XATTR, new AttributeOperation.RemoveXattr(path, "user.a"));
        refused(ErrorCode.NO_XATTR, new AttributeOperation.SetXattr(path, "user.a", ONE, false, true));
        done(set(path, "user.a", ONE));
        done(set(path, "user.b"));
        refused(ErrorCode.ALREADY_EXISTS, new AttributeOperation.SetXattr(path, "user.a", ONE, true, false));
        assertThat(get(path).values()).containsOnlyKeys("user.a", "user.b").containsEntry("user.a", ONE);
        done(set(path, "user.a", (byte) 2));
        assertThat(get(path).values().get("user.a")).containsExactly(2);
        Reply names = cluster.call(new ReadOperation.GetXattrs(path, false));
        assertThat(((Reply.Xattrs) names).values().get("user.a")).isEmpty();
        done(new AttributeOperation.RemoveXattr(path, "user.a"));
        done(new AttributeOperation.RemoveXattr(path, "user.b"));
        assertThat(get(path).values()).isEmpty();
        assertThat(rows()).isZero();
        cluster.wholeStore();
    }

    @Test
    void shouldKeepThemWhateverElseChangesAndRemoveThemWithTheirFile() {
        done(set(PATH, "user.a", ONE));
        done(set(DIRECTORY, "user.d", ONE));
        done(new AttributeOperation.SetPermission(PATH, 0600));
        done(new AttributeOperation.SetPermission(DIRECTORY, 0700));
        done(new BlockOperation.Truncate(PATH, 0));
        FsPath moved = FsPath.of("/moved");
        done(new NamespaceOperation.Rename(DIRECTORY, moved, RenameMode.STRICT));
        FsPath file = moved.child("file");
        done(new NamespaceOperation.Rename(file, moved.child("other"), RenameMode.STRICT));
        assertThat(get(moved.child("other")).values()).containsOnlyKeys("user.a");
        assertThat(get(moved).values()).containsOnlyKeys("user.d");
        cluster.wholeStore();

        create(file, BLOCK_SIZE, (byte) 1);
        done(set(file, "user.b", ONE));
        done(new NamespaceOperation.Rename(moved.child("other"), file, RenameMode.OVERWRITE));
        assertThat(get(file).values()).containsOnlyKeys("user.a");
        assertThat(rows()).isEqualTo(2);
        done(new FileOperation.Create(file, 0644, true, true, 1, BLOCK_SIZE, ONE, null));
        assertThat(get(file).values()).isEmpty();
        assertThat(rows()).isEqualTo(1);
        done(set(file, "user.b", ONE));
        done(new NamespaceOperation.Delete(moved, true));
        cluster.advance(Duration.ofSeconds(20));
        assertThat(rows()).isZero();
        cluster.wholeStore();
    }

    @Test
    void shouldRemoveThoseOfAnEmptyDirectoryThatIsReplacedOrDeleted() {
        FsPath empty = FsPath.of("/empty");
        done(new NamespaceOperation.Mkdirs(empty, 0755, true));
        done(set(empty, "user.a", ONE));
        done(new NamespaceOperation.Rename(DIRECTORY, empty, RenameMode.OVERWRITE));
        assertThat(rows()).isZero();
        done(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true));
        done(set(DIRECTORY, "user.a", ONE));
        done(new NamespaceOperation.Delete(DIRECTORY, false));
        assertThat(rows()).isZero();
        cluster.wholeStore();
    }

    @Test
    void shouldShowAndGiveThemToThoseWhoMay() {
        done(set(PATH, "user.a", ONE));
        done(set(PATH, "trusted.a", ONE));
        ReadOperation.GetXattrs read = new ReadOperation.GetXattrs(PATH, true);
        assertThat(((Reply.Xattrs) cluster.owner(read).call(OTHER, read)).values())
                .containsOnlyKeys("user.a");
        assertThat(get(PATH).values()).containsOnlyKeys("trusted.a", "user.a");
        assertThat(refusal(set(PATH, "user.b", ONE))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(refusal(set(DIRECTORY, "user.b", ONE))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        done(new AttributeOperation.SetPermission(PATH, 0622));
        assertThat(refusal(read)).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(refusal(new ReadOperation.GetXattrs(PATH, false))).isNull();
        assertThat(refusal(set(PATH, "user.b", ONE))).isNull();
        assertThat(refusal(set(PATH, "trusted.b", ONE))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        done(new AttributeOperation.SetPermission(DIRECTORY, 01777));
        assertThat(refusal(set(DIRECTORY, "user.b", ONE))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        for (String name : List.of("system.a", "security.a", "raw.a", "user.", "a", "user.lambdafs.dir.files")) {
            refused(ErrorCode.PERMISSION_DENIED, set(PATH, name, ONE));
        }
    }

    @Test
    void shouldKeepToHdfssLimits() {
        for (int i = 0; i < 32; i++) {
            done(set(PATH, "user." + i, ONE));
        }
        refused(ErrorCode.NOT_ALLOWED, set(PATH, "user.more", ONE));
        done(set(PATH, "user.0", new byte[16_000]));
        put(FormatLevel.CUT.row());
        refused(ErrorCode.UNSUPPORTED, set(PATH, "user.0", ONE));
    }
}
