package io.lambdafs.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.ThreadScheduler;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.block.WriterLease;
import io.lambdafs.store.database.DatabaseStore;
import io.lambdafs.store.engine.CommitObserver;
import io.lambdafs.store.engine.SchemaComments;
import io.lambdafs.store.engine.StoreLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/SQL.md: its tables are those of the code, with the comments of the database, and its queries answer. */
class SqlPageTest {
    private static final Path PAGE = Path.of("..", "docs", "SQL.md");
    private static final Pattern QUERY = Pattern.compile("(?s)```sql\n(.*?);\n```");

    /** Returns the list below the last heading. */
    static String tables() {
        StringBuilder list = new StringBuilder();
        for (SqlTable table : new SqlTables().all()) {
            list.append("- `").append(table.tableName()).append("`: ");
            list.append(SchemaComments.of(table.table())).append(".\n");
        }
        return list.toString();
    }

    @Test
    void shouldSayOfEachTableWhatItsCommentSays() throws IOException {
        assertThat(Files.readString(PAGE))
                .as("its end is made of SchemaComments")
                .endsWith("\n\n" + tables());
    }

    @Test
    void shouldAnswerItsQueries() throws Exception {
        TestPostgres postgres = TestPostgres.emptied();
        try (ThreadScheduler scheduler = new ThreadScheduler();
                DatabaseStore store =
                        SqlStore.open(scheduler, StoreLimits.defaults(), postgres.settings(), CommitObserver.NONE)) {
            store.begin(0).commit(tree(), Long.MAX_VALUE).toCompletableFuture().join();
            List<List<String>> answers = new ArrayList<>();
            for (String query : QUERY.matcher(Files.readString(PAGE))
                    .results()
                    .map(found -> found.group(1))
                    .toList()) {
                answers.add(rows(postgres, query));
            }
            assertThat(answers)
                    .hasSize(8)
                    .allSatisfy(answer -> assertThat(answer).isNotEmpty());
            assertThat(answers.get(0)).containsExactly("/data/large 200");
            assertThat(answers.get(1)).containsExactly("/data");
            assertThat(answers.get(2)).containsExactly("ann 1 200");
            assertThat(answers.get(3)).first().asString().startsWith("1001 1 1970-01-01");
            assertThat(answers.get(4)).singleElement().asString().startsWith("1002 ann 1001 large ");
            assertThat(answers.get(5)).containsExactly("0 200 store blocks/00/a");
            assertThat(answers.get(7)).singleElement().asString().startsWith("1 bob /gone ");
        }
    }

    /** As it is stored: the root, a directory and a file in a block with a writer, and a change. */
    private static List<Mutation> tree() {
        INode root = INode.directory(0, "", INode.ROOT_ID, "root", "users", 0755, 7);
        INode data = INode.directory(INode.ROOT_ID, "data", 1001, "ann", "users", 0755, 7);
        INode.Traits traits = new INode.Traits(INode.Kind.FILE, "ann", "users", 0644, 1, 1000, INode.Content.WRITING);
        INode large = new INode(1001, "large", 1002, traits, 200, 9, 9, 1);
        Change.Origin bob = new Change.Origin("bob", 9, new RequestId(1, 2, 0, 1));
        List<Row> rows = List.of(
                Rows.of(root),
                Rows.of(data),
                Rows.location(data),
                Rows.stats(1001, new DirectoryStats(1, 9)),
                Rows.of(large),
                Rows.written(large),
                new WriterLease(1002, "ann", 1, 9).row(),
                new StoredBlock(1002, 0, new Block(5, 1, 200, 3), "store", "blocks/00/a", StoredBlock.State.WRITTEN)
                        .row());
        List<Mutation> all = new ArrayList<>();
        rows.forEach(row -> all.add(new Mutation.Put(row)));
        all.add(new Mutation.Append(
                new Change(Change.Event.of(Change.Kind.DELETE, large, FsPath.of("/gone")), bob).row()));
        return all;
    }

    private static List<String> rows(TestPostgres postgres, String query) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    row.add(result.getString(i));
                }
                rows.add(String.join(" ", row));
            }
        }
        return rows;
    }
}
