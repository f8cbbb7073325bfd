package io.lambdafs.cluster.store;

import io.lambdafs.model.FsException;
import io.lambdafs.store.sql.SqlStore;
import java.util.List;
import java.util.function.Function;

/** Prints the tables of a store as SQL, for creating them by hand. Stateless. */
public final class SchemaText {
    private static final String NDB = "io.lambdafs.store.ndb.NdbSql";

    private SchemaText() {}

    /**
     * Returns the statements, each terminated by a semicolon and a newline.
     *
     * @param engine {@code postgres}, {@code ndb}, or {@code ndb-disk} for one with contents on disk
     * @throws FsException {@code INVALID_ARGUMENT} if the engine has no SQL tables; {@code UNAVAILABLE} if the engine's
     *     module is not on the class path
     */
    public static String of(String engine) {
        return switch (engine) {
            case "postgres" -> text(SqlStore.schema());
            case "ndb" -> text(ndb(false));
            case "ndb-disk" -> text(ndb(true));
            default -> throw FsException.invalidArgument("--print-sql is postgres, ndb or ndb-disk, not " + engine);
        };
    }

    private static String text(List<String> statements) {
        StringBuilder text = new StringBuilder();
        statements.forEach(each -> text.append(each).append(";\n"));
        return text.toString().stripTrailing();
    }

    private static List<String> ndb(boolean onDisk) {
        try {
            // Only the command line has the module on its class path.
            @SuppressWarnings("unchecked")
            Function<Boolean, List<String>> schema = Class.forName(NDB)
                    .asSubclass(Function.class)
                    .getDeclaredConstructor()
                    .newInstance();
            return schema.apply(onDisk);
        } catch (ReflectiveOperationException e) {
            throw FsException.unavailable("lambdafs-store-ndb is not on the class path: run it by ./lambdafs", e);
        }
    }
}
