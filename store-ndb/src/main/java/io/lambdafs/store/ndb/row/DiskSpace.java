package io.lambdafs.store.ndb.row;

import com.mysql.ndbjtie.ndbapi.NdbDictionary.Datafile;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.Dictionary;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.LogfileGroup;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.Tablespace;
import com.mysql.ndbjtie.ndbapi.NdbDictionary.Undofile;
import io.lambdafs.model.FsException;
import io.lambdafs.store.database.DatabaseLostException;

/**
 * The tablespace on the disks of NDB's data nodes, created without a MySQL server unless an operator has created it: a
 * file for rows, and an undo log that reverts their changes after a crash. Stateless.
 */
public final class DiskSpace {
    /** The name of the tablespace. */
    public static final String NAME = "lambdafs";
    /** The name of the undo log group; NDB's objects share one namespace. */
    public static final String UNDO = NAME + "_undo";

    private static final int FILE_ALREADY_THERE = 760;
    private static final int NO_TABLESPACE = 755;
    private static final int UNDO_BUFFER_BYTES = 8 << 20;
    private static final int EXTENT_BYTES = 1 << 20;
    private static final int LEAST_UNDO_MB = 64;
    private static final int MOST_UNDO_MB = 4_096;

    private DiskSpace() {}

    /**
     * Creates a table in the tablespace if it is missing, and the tablespace if that is missing.
     *
     * @param megabytes for rows, on each data node
     */
    public static void ensure(Dictionary dictionary, NdbTable table, int megabytes) throws DatabaseLostException {
        try {
            table.ensure(dictionary);
        } catch (FsException e) {
            if (dictionary.getNdbError().code() != NO_TABLESPACE) {
                throw e;
            }
            make(dictionary, megabytes);
            table.ensure(dictionary);
        }
    }

    private static void make(Dictionary dictionary, int megabytes) throws DatabaseLostException {
        LogfileGroup group = LogfileGroup.create();
        Undofile undo = Undofile.create();
        Tablespace space = Tablespace.create();
        Datafile data = Datafile.create();
        try {
            group.setName(UNDO);
            group.setUndoBufferSize(UNDO_BUFFER_BYTES);
            check(dictionary, dictionary.createLogfileGroup(group, null), "the group of undo logs");
            undo.setLogfileGroup(UNDO);
            undo.setPath(UNDO + ".log");
            undo.setSize((long) Math.max(LEAST_UNDO_MB, Math.min(MOST_UNDO_MB, megabytes / 4)) << 20);
            check(dictionary, dictionary.createUndofile(undo, false, null), "the undo log");
            space.setName(NAME);
            space.setExtentSize(EXTENT_BYTES);
            space.setDefaultLogfileGroup(UNDO);
            check(dictionary, dictionary.createTablespace(space, null), "the definition");
            data.setTablespace(NAME);
            data.setPath(NAME + ".dat");
            data.setSize((long) megabytes << 20);
            check(dictionary, dictionary.createDatafile(data, false, null), "the file");
        } finally {
            Datafile.delete(data);
            Tablespace.delete(space);
            Undofile.delete(undo);
            LogfileGroup.delete(group);
        }
    }

    private static void check(Dictionary dictionary, int result, String what) throws DatabaseLostException {
        int code = dictionary.getNdbError().code();
        if (result != 0 && code != NdbTable.ALREADY_THERE && code != FILE_ALREADY_THERE) {
            throw NdbFailure.of(
                    "cannot make " + what + " of the tablespace " + NAME
                            + " for contents on disk (an operator may make the tablespace instead)",
                    dictionary.getNdbError());
        }
    }
}
