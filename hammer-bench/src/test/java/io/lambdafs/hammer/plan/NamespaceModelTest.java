package io.lambdafs.hammer.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.hammer.tree.ImportedTree;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.hammer.workload.Popularity;
import io.lambdafs.hammer.workload.Workload;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.Reply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class NamespaceModelTest {
    private final ModelDirectory root = new ModelDirectory(FsPath.of("/data"), new ModelDirectory.Clock());
    private final ModelDirectory directory = directory(root, "d");
    private final ModelFile file = file(directory, "f");

    private static ModelDirectory directory(ModelDirectory parent, String name) {
        ModelDirectory made = new ModelDirectory(parent, name, 0755);
        parent.add(made);
        return made;
    }

    private static ModelFile file(ModelDirectory parent, String name) {
        ModelFile made = new ModelFile(parent, name, 0644, ModelFile.Body.inline(1, ModelFile.ANY_TIME, 0));
        parent.add(made);
        return made;
    }

    private static Attributes attributes(String name) {
        return new Attributes(
                name, 5, new INode.Traits(INode.Kind.FILE, "u", "g", 0644, 1, 1, INode.Content.INLINE), 1, 1, 1, 0);
    }

    private static Reply.Page page(String... names) {
        List<Attributes> entries = new ArrayList<>();
        for (String name : names) {
            entries.add(attributes(name));
        }
        return new Reply.Page(entries, false);
    }

    @Test
    void shouldNotChangeWhatIsInUse() {
        assertThat(file.tryRead()).isTrue();
        assertThat(file.tryRead()).isTrue();
        assertThat(file.tryWrite()).isFalse();
        assertThat(directory.tryWrite()).isFalse();
        file.releaseRead();
        file.releaseRead();
        assertThat(directory.tryWrite()).isTrue();
        assertThat(file.tryRead()).isFalse();
        assertThat(directory.tryEnter()).isFalse();
        directory.releaseWrite();
        assertThat(file.tryWrite()).isTrue();
    }

    @Test
    void shouldListWhileNamesChange() {
        assertThat(directory.tryRead()).isTrue();
        Looks.ListDirectory listing = new Looks.ListDirectory(directory);
        file(directory, "still");
        directory.begin("coming");
        assertThat(listing.judge(page("f", "still"))).isNull();
        assertThat(listing.judge(page("coming", "f", "still"))).isNull();
        directory.settle("coming");
        file(directory, "coming");
        assertThat(listing.judge(page("f", "still"))).isNull();
        assertThat(listing.judge(page("coming", "f"))).contains("\"still\" is missing");
        assertThat(listing.judge(page("f", "other", "still"))).contains("no entry \"other\"");
        // A listing that begins when the change is over must show it.
        assertThat(new Looks.ListDirectory(directory).judge(page("f", "still"))).contains("\"coming\" is missing");
    }

    @Test
    void shouldJudgeOnlyNamesOfPageThatHasMoreBehind() {
        for (int i = 0; i < 1_500; i++) {
            file(directory, String.format("n-%04d", i));
        }
        String[] names = new String[1_000];
        names[0] = "f";
        for (int i = 1; i < names.length; i++) {
            names[i] = String.format("n-%04d", i - 1);
        }
        Looks.ListDirectory listing = new Looks.ListDirectory(directory);
        List<Attributes> entries = page(names).entries();
        assertThat(listing.judge(new Reply.Page(entries, true))).isNull();
        assertThat(listing.judge(new Reply.Page(entries, false))).contains("is missing");
        assertThat(listing.judge(new Reply.Page(entries.subList(0, 999), true))).contains("a page of 1000");
    }

    @Test
    void shouldFollowMovesOfDirectories() {
        ModelDirectory upper = directory(root, "upper");
        assertThat(file.path()).hasToString("/data/d/f");
        assertThat(directory.tryWrite()).isTrue();
        assertThat(upper.tryEnter()).isTrue();
        Changes.Move move = new Changes.Move(root, directory, new Changes.Destination(upper, "new"));
        assertThat(root.fluid("d", root.mark())).isTrue();
        move.settle();
        assertThat(file.path()).hasToString("/data/upper/new/f");
        assertThat(root.children()).containsOnlyKeys("upper");
        assertThat(upper.children()).containsOnlyKeys("new");
        assertThat(directory.tryWrite()).isTrue();
    }

    @Test
    void shouldNeverPlanOnWhatHasUnknownState() {
        assertThat(file.tryWrite()).isTrue();
        new Changes.Delete(directory, file).abandon();
        assertThat(directory.children()).isEmpty();
        Looks.ListDirectory listing = new Looks.ListDirectory(directory);
        assertThat(listing.judge(page("f"))).isNull();
        assertThat(listing.judge(page())).isNull();
    }

    @Test
    void shouldNeverCallSomethingNewByANameThatHasBeenDeleted() {
        List<ImportedTree.Entry> entries = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            entries.add(new ImportedTree.Entry(-1, "part-" + i, ImportedTree.Type.FILE, 0644, 1, 1, true, 0));
        }
        NamespaceModel model =
                new NamespaceModel(new ImportedTree(FsPath.of("/data"), entries), new Popularity(0, 0), 1);
        ModelDirectory top = model.root();
        List<Looks.StatGhost> probes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ModelNode old = top.children().get("part-" + i);
            assertThat(old.tryWrite()).isTrue();
            new Changes.Delete(top, old).settle();
            ModelDirectory.Ghost ghost = top.ghost();
            assertThat(ghost).isNotNull();
            assertThat(top.tryEnter()).isTrue();
            probes.add(new Looks.StatGhost(top, ghost));
        }
        // Each probe still expects that there is no such file.
        String fresh = model.freshName(top, "part-");
        assertThat(probes)
                .extracting(probe -> probe.operation().path().name())
                .hasSize(20)
                .doesNotContain(fresh);
        assertThat(fresh).isEqualTo("part-20");
    }

    @Test
    void shouldMakeOneDeploymentHot() {
        Placement placement = new Placement(4);
        for (int seed = 0; seed < 20; seed++) {
            Planner planner = new Planner(model(400, seed));
            int[] counts = new int[4];
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < 5_000; i++) {
                Intent<?> intent = planner.plan(OperationKind.READ, random.nextLong());
                assertThat(intent).isNotNull();
                counts[placement.of(intent.operation())]++;
                intent.settle();
            }
            assertThat(IntStream.of(counts).max().orElse(0)).isGreaterThan(5_000 * 36 / 100);
        }
    }

    @Test
    void shouldGiveOneDirectoryItsShareOfTheOperations() {
        NamespaceModel model = model(400, new Popularity(1.3, 0.6), 7);
        SplittableRandom random = new SplittableRandom(7);
        Map<ModelDirectory, Integer> counts = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            counts.merge(model.popular(random), 1, Integer::sum);
        }
        assertThat(counts.values().stream().sorted().toList())
                .last()
                .satisfies(most -> assertThat(most).isBetween(5_800, 6_200));
        assertThat(counts).as("and the others the rest").hasSizeGreaterThan(50);
    }

    private static NamespaceModel model(int directories, long seed) {
        return model(directories, new Popularity(Workload.DEFAULT_ZIPF_EXPONENT, 0), seed);
    }

    private static NamespaceModel model(int directories, Popularity popularity, long seed) {
        List<ImportedTree.Entry> entries = new ArrayList<>();
        for (int d = 0; d < directories; d++) {
            entries.add(new ImportedTree.Entry(-1, "dir-" + d, ImportedTree.Type.DIRECTORY, 0755, 0, 0, false, 0));
            int parent = entries.size() - 1;
            for (int f = 0; f < 20; f++) {
                entries.add(new ImportedTree.Entry(parent, "f" + f, ImportedTree.Type.FILE, 0644, 1, 1, true, 0));
            }
        }
        return new NamespaceModel(new ImportedTree(FsPath.of("/data"), entries), popularity, seed);
    }
}
