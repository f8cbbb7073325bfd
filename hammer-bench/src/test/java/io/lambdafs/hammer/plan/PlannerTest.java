package io.lambdafs.hammer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.hammer.tree.ImportedTree;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.hammer.workload.Popularity;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Which operations are planned, on what. */
final class PlannerTest {
    private static final int DRAWS = 20_000;

    private final SplittableRandom random = new SplittableRandom(3);

    /** Directories of so many files, and in each other one a directory. */
    private static NamespaceModel model(int directories, int files) {
        List<ImportedTree.Entry> entries = new ArrayList<>();
        for (int d = 0; d < directories; d++) {
            entries.add(new ImportedTree.Entry(-1, "dir-" + d, ImportedTree.Type.DIRECTORY, 0755, 0, 0, false, 0));
            int parent = entries.size() - 1;
            for (int f = 0; f < files; f++) {
                entries.add(new ImportedTree.Entry(parent, "f" + f, ImportedTree.Type.FILE, 0644, 1, 1, true, 0));
            }
            if (d % 2 == 0) {
                entries.add(new ImportedTree.Entry(parent, "below", ImportedTree.Type.DIRECTORY, 0755, 0, 0, false, 0));
                int below = entries.size() - 1;
                entries.add(new ImportedTree.Entry(below, "g", ImportedTree.Type.FILE, 0644, 1, 1, true, 0));
            }
        }
        return new NamespaceModel(new ImportedTree(FsPath.of("/data"), entries), new Popularity(1, 0), 1);
    }

    /** Plans so often, and lets each be done at once. */
    private List<Intent<?>> plans(Planner planner, OperationKind kind, int draws) {
        List<Intent<?>> all = new ArrayList<>();
        for (int i = 0; i < draws; i++) {
            Intent<?> intent = planner.plan(kind, random.nextLong());
            assertThat(intent).isNotNull();
            assertThat(intent.kind()).isEqualTo(kind);
            intent.settle();
            all.add(intent);
        }
        return all;
    }

    private static double share(List<Intent<?>> intents, Predicate<Operation<?>> of) {
        return intents.stream().filter(each -> of.test(each.operation())).count() / (double) intents.size();
    }

    private static double shareOf(List<Intent<?>> intents, Class<?> kind) {
        return intents.stream().filter(kind::isInstance).count() / (double) intents.size();
    }

    @Test
    void shouldLookAtFilesDirectoriesAndNamesThatAreGone() {
        NamespaceModel model = model(100, 30);
        Planner planner = new Planner(model);
        List<Intent<?>> before = plans(planner, OperationKind.STAT, DRAWS);
        assertThat(shareOf(before, Looks.StatDirectory.class)).isBetween(0.18, 0.22);
        assertThat(shareOf(before, Looks.StatGhost.class)).isZero();
        plans(planner, OperationKind.DELETE, 500);
        List<Intent<?>> after = plans(planner, OperationKind.STAT, DRAWS);
        assertThat(shareOf(after, Looks.StatGhost.class)).isBetween(0.015, 0.035);
        assertThat(shareOf(after, Looks.StatFile.class)).isBetween(0.74, 0.82);
        assertThat(plans(planner, OperationKind.READ, 1_000)).allMatch(each -> each instanceof Looks.Read);
    }

    @Test
    void shouldListADirectoryAndNowAndThenTheOneAbove() {
        List<Intent<?>> lists = plans(new Planner(model(100, 30)), OperationKind.LS, DRAWS);
        assertThat(share(lists, each -> each.path().equals(FsPath.of("/data")))).isBetween(0.06, 0.11);
        assertThat(lists)
                .allMatch(each -> each.operation() instanceof ReadOperation.ListPage page
                        && page.startAfter().isEmpty());
    }

    @Test
    void shouldCreateNewFilesSmallOnesMostlyAndAskForSomeThatAreThere() {
        NamespaceModel model = model(200, 20);
        Planner planner = new Planner(model);
        List<Intent<?>> creates = plans(planner, OperationKind.CREATE, 2_000);
        assertThat(shareOf(creates, Looks.CreateExisting.class)).isBetween(0.01, 0.035);
        List<Integer> sizes = creates.stream()
                .filter(each -> each instanceof Changes.CreateFile)
                .map(each -> ((FileOperation.Create) each.operation()).content().length)
                .sorted()
                .toList();
        // Squares of evenly drawn numbers: the median is a quarter of the most.
        assertThat(sizes.get(sizes.size() / 2)).isBetween(850, 1_200);
        assertThat(sizes.get(sizes.size() - 1)).isBetween(3_700, 4_095);
        assertThat(creates.stream()
                        .map(each -> each.operation().path())
                        .distinct()
                        .count())
                .isGreaterThan(1_900);
        assertThat(share(creates, each -> each.path().name().startsWith("part-")))
                .isGreaterThan(0.9);
    }

    @Test
    void shouldGiveNoFileToADirectoryThatIsFull() {
        Planner planner = new Planner(model(1, 127));
        List<Intent<?>> creates = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Intent<?> intent = planner.plan(OperationKind.CREATE, random.nextLong());
            if (intent instanceof Changes.CreateFile) {
                creates.add(intent);
                intent.settle();
            }
        }
        // 127 files and a directory are the 128 that a directory may have; what is below takes others.
        assertThat(creates)
                .isNotEmpty()
                .noneMatch(each -> each.operation().path().parent().equals(FsPath.of("/data/dir-0")));
    }

    @Test
    void shouldMakeNamesThatAreGoneAnew() {
        NamespaceModel model = model(40, 40);
        Planner planner = new Planner(model);
        plans(planner, OperationKind.DELETE, 300);
        List<Intent<?>> creates = plans(planner, OperationKind.CREATE, 400);
        double again = share(
                creates.stream()
                        .filter(each -> each instanceof Changes.CreateFile)
                        .toList(),
                each -> each.path().name().startsWith("f"));
        assertThat(again).isBetween(0.04, 0.13);
    }

    @Test
    void shouldMoveAndDeleteFilesMostlyAndSmallDirectoriesNowAndThen() {
        NamespaceModel model = model(2_000, 12);
        Planner planner = new Planner(model);
        List<Intent<?>> deletes = plans(planner, OperationKind.DELETE, 400);
        double directories = share(deletes, each -> ((NamespaceOperation.Delete) each).recursive());
        assertThat(directories).isBetween(0.02, 0.1);
        List<Intent<?>> moves = plans(planner, OperationKind.MV, 1_000);
        double inPlace = share(
                moves,
                each -> each instanceof NamespaceOperation.Rename rename
                        && rename.path().parent().equals(rename.destination().parent()));
        assertThat(inPlace).isBetween(0.35, 0.6);
        assertThat(moves)
                .allMatch(each -> ((NamespaceOperation.Rename) each.operation())
                        .destination()
                        .name()
                        .startsWith("moved-"));
        assertThat(plans(planner, OperationKind.MKDIRS, 100))
                .allMatch(each -> each.operation().path().name().startsWith("dir-"));
    }

    @Test
    void shouldPlanNothingWhereEverythingIsHeld() {
        NamespaceModel model = model(1, 20);
        Planner planner = new Planner(model);
        assertThat(model.root().tryWrite()).isTrue();
        for (OperationKind kind : OperationKind.values()) {
            assertThat(planner.plan(kind, 5)).as(kind.label()).isNull();
        }
        model.root().releaseWrite();
        for (OperationKind kind : OperationKind.values()) {
            Intent<?> intent = planner.plan(kind, 5);
            assertThat(intent).as(kind.label()).isNotNull();
            intent.settle();
        }
    }

    @Test
    void shouldKeepSomeFilesInADirectoryThatIsPopular() {
        NamespaceModel model = model(1, 20);
        Planner planner = new Planner(model);
        int deleted = 0;
        for (int i = 0; i < 500; i++) {
            Intent<?> intent = planner.plan(OperationKind.DELETE, random.nextLong());
            if (intent != null) {
                intent.settle();
                deleted++;
            }
        }
        assertThat(deleted).isBetween(16, 17);
        ModelNode directory = model.root().children().get("dir-0");
        assertThat(directory)
                .isInstanceOfSatisfying(
                        ModelDirectory.class,
                        left -> assertThat(left.readable()).hasSize(4));
    }

    @Test
    void shouldSayWhatDiffersFromWhatIsExpected() {
        ModelDirectory root = new ModelDirectory(FsPath.of("/data"), new ModelDirectory.Clock());
        ModelFile file = new ModelFile(root, "f", 0644, ModelFile.Body.inline(5, 9, 0));
        ModelDirectory directory = new ModelDirectory(root, "d", 0755);
        assertThat(Expected.difference(file, seen("f", INode.Kind.FILE, 0644, 5, INode.Content.INLINE, 9)))
                .isNull();
        assertThat(Expected.difference(file, seen("g", INode.Kind.FILE, 0644, 5, INode.Content.INLINE, 9)))
                .isEqualTo("expected name f, got g");
        assertThat(Expected.difference(file, seen("f", INode.Kind.DIRECTORY, 0644, 5, INode.Content.INLINE, 9)))
                .isEqualTo("expected kind a file, got DIRECTORY");
        assertThat(Expected.difference(file, seen("f", INode.Kind.FILE, 0600, 5, INode.Content.INLINE, 9)))
                .isEqualTo("expected mode 644, got 600");
        assertThat(Expected.difference(file, seen("f", INode.Kind.FILE, 0644, 6, INode.Content.INLINE, 9)))
                .isEqualTo("expected size 5, got 6");
        assertThat(Expected.difference(file, seen("f", INode.Kind.FILE, 0644, 5, INode.Content.ABSENT, 9)))
                .isEqualTo("expected content INLINE, got ABSENT");
        assertThat(Expected.difference(file, seen("f", INode.Kind.FILE, 0644, 5, INode.Content.INLINE, 8)))
                .isEqualTo("expected mtime 9, got 8");
        ModelFile young = new ModelFile(root, "f", 0644, ModelFile.Body.inline(5, ModelFile.ANY_TIME, 0));
        assertThat(Expected.difference(young, seen("f", INode.Kind.FILE, 0644, 5, INode.Content.INLINE, 8)))
                .isNull();
        assertThat(Expected.difference(directory, seen("d", INode.Kind.DIRECTORY, 0755, 0, INode.Content.NONE, 8)))
                .isNull();
        assertThat(Expected.difference(directory, seen("d", INode.Kind.FILE, 0755, 0, INode.Content.NONE, 8)))
                .isEqualTo("expected kind a directory, got FILE");
    }

    private static Attributes seen(
            String name, INode.Kind kind, int mode, long size, INode.Content content, long mtime) {
        return new Attributes(name, 5, new INode.Traits(kind, "u", "g", mode, 1, 1, content), size, mtime, 1, 0);
    }
}
