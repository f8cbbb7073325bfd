package io.lambdafs.hammer.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.hammer.result.Listings;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A replay's result for people and scripts. Stateless. */
public final class Report {
    /** Name of the page in its directory. */
    public static final String PAGE = "report.html";

    private Report() {}

    /**
     * Writes {@value #PAGE}, a self-contained page; {@code report.json}, the object of {@link #json} with a row for
     * each second; and {@code report.csv}, these rows. Replaces older ones.
     *
     * @param directory created if missing
     * @return the page's absolute path
     * @throws FsException {@link ErrorCode#INVALID_ARGUMENT} if it cannot be written
     */
    public static Path write(ReplayResult result, Path directory) {
        Path page = directory.toAbsolutePath().normalize().resolve(PAGE);
        ObjectNode json = ResultJson.whole(result, page);
        write(
                directory,
                Map.of(
                        PAGE,
                        ReportPage.render(result),
                        "report.json",
                        json.toPrettyString() + "\n",
                        "report.csv",
                        Csv.of(json.path("series"))));
        return page;
    }

    /**
     * Writes the files of a report, each of which replaces an older one atomically: if the process ends meanwhile, the
     * older one remains.
     *
     * @param directory created if missing
     * @param files texts by their names
     * @throws FsException {@link ErrorCode#INVALID_ARGUMENT} if one cannot be written
     */
    public static void write(Path directory, Map<String, String> files) {
        try {
            Files.createDirectories(directory);
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path draft = directory.resolve(file.getKey() + ".tmp");
                Files.writeString(draft, file.getValue());
                Files.move(
                        draft,
                        directory.resolve(file.getKey()),
                        StandardCopyOption.REPLACE_EXISTING,
                        StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            throw FsException.invalidArgument(
                    "cannot write the report to " + directory + " (" + e + "); name another directory", e);
        }
    }

    /**
     * Returns one line of JSON with stable keys.
     *
     * @param page the result of {@link #write}; null if no page was written
     */
    public static String json(ReplayResult result, @Nullable Path page) {
        return ResultJson.forScripts(result, page);
    }

    /** Adds where a load's listings came from to an object, if it is known. */
    public static void listings(ObjectNode json, Listings listings) {
        ResultJson.listings(json, listings);
    }

    /** Returns a table for a terminal. */
    public static String table(ReplayResult result) {
        return ResultTable.of(result);
    }
}
