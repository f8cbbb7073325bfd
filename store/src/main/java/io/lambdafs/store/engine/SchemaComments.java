package io.lambdafs.store.engine;

import io.lambdafs.store.Column;
import io.lambdafs.store.Table;
import java.util.Map;
import java.util.TreeMap;

/**
 * Descriptions of tables and columns for people who query the database: its comments, and the tables of docs/SQL.md.
 * Stateless.
 */
public final class SchemaComments {
    /** A line per table, and per column below it. */
    private static final String TEXT = """
            settings                        Settings of the file system, a row each
              name                          cluster: id of the cluster; deployments: how many there are; format: format level; generation: of the deployments; safemode: there while the file system is read-only; totals: exact, or being counted
              value                         As text
            sequences                       Numbers to be given out next
              name                          inode, epoch, operation: what is numbered; change: entries of the change log; change.trimmed: the last entry that was removed; totals.moves: directories moved or removed while totals are counted
              next                          The next free number; of change.trimmed the last removed position
            instances                       Instances that may write; a row that is removed fences its instance
              epoch                         Number of the instance; from 2^62 on, the right to renew the lease of the epoch that is 2^62 less
              deployment                    Number of its deployment, from 0
              instance                      Name of the instance
              joined_millis                 When it joined, milliseconds since 1970
              reads_level                   Newest format level that its build reads
            slots                           The last request in each slot of a client's session, and its answer
              client                        Id of the session
              slot                          Number of the slot, from 0
              sequence                      Number of the request in its slot
              result                        The answer, in λFS's own encoding
              expires_millis                Until when the answer is kept, milliseconds since 1970
            subtree_operations              Operations on whole subtrees under way, a row per path; the row with the empty path is a lock
              partition                     0
              path                          Path of the subtree
              operation                     Number of the operation
              epoch                         Of the instance that performs it
              kind                          change, delete or rename; empty in the row that is a lock
              parent_id                     With name, the key of the subtree's root in inodes
              name                          With parent_id, the key of the subtree's root in inodes
            inodes                          Files and directories, by parent and name. The root has the id 1, parent 0 and no name; children of id 2 were removed, and are being reclaimed
              parent_id                     Id of the directory that it is in
              name                          Its name there
              id                            Its number, which never changes and is never given out again
              kind                          0 file, 1 directory
              owner                         User
              group                         Group
              mode                          Permission bits as a number: 493 is 0755, 512 the sticky bit
              size                          Bytes of a file; of one that is being written, those of its complete blocks; 0 of a directory
              mtime                         Last modification of a file, milliseconds since 1970. Of a directory only when it was made: directory_stats.mtime counts
              atime                         Last access, milliseconds since 1970; 0: none was recorded
              replication                   As the file's creator asked for; 0 of a directory
              block_size                    Bytes of a full block of the file; 0 of a directory
              content                       Where a file's bytes are: 0 none, 1 inline (in small_files), 3 absent (imported without contents), 4 blocks (in blocks), 5 writing (in blocks, and a writer adds more). 2 none, in old rows
              content_id                    Generation of the file's last writer lease; 1: its content was written without one; 0: neither
              subtree_op                    Number of the subtree operation that holds it; 0: none
              subtree_epoch                 Of the instance that performs that operation
              extras                        Sum of flags: 1, it has a row in xattrs; 2, a directory with a limit in directory_totals; 4, a directory of which snapshots may be made; 8, a file whose content snapshots may hold; 16, a directory with no other snapshots than its own
              acl                           ACL entries beyond the mode, as in HDFS's setfacl; empty: none
              storage_policy                Name of its storage policy; empty: the directory's counts
              reserved                      By how many bytes the block that its writer has allocated may still make it longer
              stamp                         Number of the last snapshot that could see this place when the row was written; 0: none
              floor                         Of a directory: number of the last snapshot that may see what is below it; 0: none
            directory_stats                 What changes in a directory with its children; without a row 0
              directory_id                  Id of the directory
              children                      How many there are
              mtime                         Last modification of the directory, milliseconds since 1970
            small_files                     Contents of small files
              inode_id                      Id of the file
              content_id                    1
              content                       The bytes; a file that was truncated shows the first inodes.size of them
            clients                         Sessions that have rows in slots
              partition                     0
              client                        Id of the session
              expires_millis                When the first of its last answers expires, milliseconds since 1970
            epochs                          Epochs that were taken and are not fenced
              partition                     0
              epoch                         Number of the instance
              deployment                    Number of its deployment
              generation                    Of the deployments when it was taken
            members                         Members of the cluster where the store coordinates it; none under ZooKeeper
              partition                     0
              epoch                         Number of the instance
              deployment                    Number of its deployment
              instance                      Name of the instance
              host                          Where it listens
              port                          Where it listens
              renewals                      How often its lease was renewed
              flags                         Sum of flags: 1, its lease has ended; 2, it caches nothing
              generation                    Of the deployments when it joined
            letters                         Messages to members where the store coordinates the cluster
              epoch                         Of the addressee
              name                          Name of the message
              answered                      0: not yet; 1: answered
              content                       The message until it is answered, in λFS's own encoding
              answer                        The answer, in λFS's own encoding
            datanodes                       Datanodes
              partition                     0
              id                            Its id, which it keeps over restarts
              host                          Where it listens
              port                          Where it listens
              store                         Name of the block store that it serves
              state                         1 serving, 2 draining (gets no new blocks), 3 stopped
              capacity_bytes                Of the block store, or of its part of it; 0: not limited
              free_bytes                    What is left of the capacity
              heartbeat_millis              When it wrote the row, by its own clock, milliseconds since 1970
            locations                       Where INodes are that are looked up by their id: all directories but the root, and open files that were moved
              inode_id                      Id of the INode
              parent_id                     With name, its key in inodes
              name                          With parent_id, its key in inodes
            blocks                          The blocks of files
              inode_id                      Id of the file
              index                         Place in the file, from 0
              block_id                      Number of the block
              generation                    Of the writer lease under which it was written
              length                        Bytes of its object; of an allocated block the most it may have
              crc                           CRC32C of its object, as a signed number of 32 bits
              store                         Name of the block store that has its object
              key                           Name of its object there
              state                         1 allocated (being written, not readable), 2 written
              shown                         How many of its bytes the file shows, after a truncation; -1: all
            writer_leases                   Files that are being written, with their writers
              inode_id                      Id of the file
              holder                        The writer's user
              generation                    Number of the lease; the same as inodes.content_id
              renewed_millis                When the writer was last heard of, milliseconds since 1970
            detached_files                  Files that were removed, until their blocks are listed in invalid_blocks
              partition                     0
              inode_id                      Id of the file
              generation                    Of its last writer lease
            invalid_blocks                  Objects that no file needs, until they are deleted
              store                         Name of the block store
              key                           Name of the object
              not_before_millis             It is not deleted before, milliseconds since 1970: somebody may still be reading it
            written_files                   Files that are being written, for whoever looks for abandoned ones
              partition                     0
              inode_id                      Id of the file
              parent_id                     With name, its key in inodes when the writer opened it
              name                          With parent_id, its key in inodes when the writer opened it
            xattrs                          Extended attributes of the INodes that have some (inodes.extras)
              inode_id                      Id of the INode
              attributes                    All of them, in λFS's own encoding
            changes                         The change log, where one is switched on: only appended to, and removed from its beginning
              partition                     0
              position                      Place in the log, from 1
              kind                          1 create, 2 mkdir, 3 close (its content is complete), 4 reopen (for append or recovery), 5 rename, 6 delete, 7 attributes (mode, owner, times or replication changed), 8 truncate
              inode_id                      Id of the INode
              directory                     1: it is a directory, and all below it changed with it; 0: a file
              path                          Its path before the change; where it is new, after it
              destination                   Where a rename moved it; empty otherwise
              replaced_id                   Id of the INode that it took the place of; 0: none
              user                          Who asked for it
              at_millis                     When, by the clock of the instance, milliseconds since 1970: not in the order of the positions
              client_high                   First half of the UUID of the client's session
              client_low                    Second half of that
              slot                          The request's slot in the session
              sequence                      The request's number in its slot
            block_reports                   What was last found in each part of a block store
              store                         Name of the block store
              bucket                        0-255: the two hexadecimal digits behind blocks/ in the names of its objects
              objects                       How many objects there are
              bytes                         Their length together
              hash                          Sum of the hashes of their names and lengths
              faults                        How many blocks are missing or damaged; the first of them are in block_faults
              orphans                       How many objects no file needed; they were deleted
              datanode                      Id of the datanode that looked, or is looking
              began_millis                  When the last look began, milliseconds since 1970
              ended_millis                  When the last whole look ended, milliseconds since 1970; 0: never
              scanned                       Name of the last object that was read to its end
            block_faults                    Blocks whose objects are missing or damaged
              store                         Name of the block store that should have the object
              key                           Name of the object
              inode_id                      Id of the file when that was found
              index                         Place in the file
              why                           What is wrong, in words
              found_millis                  When it was last found, milliseconds since 1970
            directory_totals                What is below a directory at any depth; without a row nothing
              directory_id                  Id of the directory
              files                         How many files
              directories                   How many directories, itself not counted
              bytes                         Lengths of all files together
              space                         The same, each file as often as its replication says; reserved bytes too
              names_limit                   Most files and directories, itself counted, that it may have; -1: no limit
              space_limit                   The most that space may be; -1: no limit
            versions                        What names of directories stood for, for snapshots
              parent_id                     Id of the directory
              version                       The name, a zero byte, and in 16 hexadecimal digits the number of the last snapshot that sees it
              id                            Its number, which never changes and is never given out again
              kind                          0 file, 1 directory
              owner                         User
              group                         Group
              mode                          Permission bits as a number: 493 is 0755, 512 the sticky bit
              size                          Bytes of a file; of one that is being written, those of its complete blocks; 0 of a directory
              mtime                         Last modification of a file, milliseconds since 1970. Of a directory only when it was made: directory_stats.mtime counts
              atime                         Last access, milliseconds since 1970; 0: none was recorded
              replication                   As the file's creator asked for; 0 of a directory
              block_size                    Bytes of a full block of the file; 0 of a directory
              content                       Where a file's bytes are: 0 none, 1 inline (in small_files), 3 absent (imported without contents), 4 blocks (in blocks), 5 writing (in blocks, and a writer adds more). 2 none, in old rows
              content_id                    Generation of the file's last writer lease; 1: its content was written without one; 0: neither
              subtree_op                    Number of the subtree operation that holds it; 0: none
              subtree_epoch                 Of the instance that performs that operation
              extras                        Sum of flags: 1, it has a row in xattrs; 2, a directory with a limit in directory_totals; 4, a directory of which snapshots may be made; 8, a file whose content snapshots may hold; 16, a directory with no other snapshots than its own
              acl                           ACL entries beyond the mode, as in HDFS's setfacl; empty: none
              storage_policy                Name of its storage policy; empty: the directory's counts
              reserved                      By how many bytes the block that its writer has allocated may still make it longer
              stamp                         Snapshots up to this number do not see it
              floor                         As in inodes
            directory_versions              What directory_stats and directory_totals had of a directory, for snapshots
              directory_id                  Id of the directory
              snapshot                      Number of the last snapshot that sees it
              children                      How many children it had
              mtime                         Its last modification, milliseconds since 1970
              files                         How many files were below it
              directories                   How many directories were below it
              bytes                         Lengths of all those files together
              space                         The same, each file as often as its replication said
            kept                            Rows of versions and directory_versions, by the last snapshot that may see them
              snapshot                      Number of that snapshot
              row                           Name of the entry
              owner                         First column of the row's key
              version                       Second column of the row's key in versions; empty for one of directory_versions
              number                        Number of the last snapshot that could see it when it was written
              stamp                         Snapshots up to this number do not see it
              top                           Id of the only directory whose snapshots may see it; 0: unknown
              held_id                       Id of the file whose content it holds; 0: none
            snapshots                       Snapshots of directories
              directory_id                  Id of the directory
              name                          Name of the snapshot
              number                        Its number
              created_millis                When it was made, milliseconds since 1970
            snapshot_numbers                All snapshots that were ever made
              partition                     0
              number                        Its number
              directory_id                  Id of the directory
              live                          1: it is there; 0: it was deleted
              writes                        How many commits have added rows to kept since it was last looked through
            snapshottables                  Directories of which snapshots may be made
              partition                     0
              directory_id                  Id of the directory
              allowed_millis                Since when, milliseconds since 1970
            held_files                      Files whose content snapshots hold
              inode_id                      Id of the file
              versions                      In how many rows of versions
              gone                          1: the file itself was removed, and its content only waits for these to go; 0: not known
            """;

    private static final Map<String, String> COMMENTS = parse();

    private SchemaComments() {}

    private static Map<String, String> parse() {
        Map<String, String> comments = new TreeMap<>();
        String table = "";
        for (String line : TEXT.lines().toList()) {
            String[] words = line.strip().split(" {2,}", 2);
            boolean ofColumn = line.startsWith(" ");
            table = ofColumn ? table : words[0];
            comments.put(ofColumn ? table + "." + words[0] : table, words[1]);
        }
        return Map.copyOf(comments);
    }

    /** All comments, by {@code table} and {@code table.column}. */
    static Map<String, String> all() {
        return COMMENTS;
    }

    public static String of(Table table) {
        return get(table.name());
    }

    public static String of(Table table, Column column) {
        return get(table.name() + "." + column.name());
    }

    private static String get(String name) {
        String comment = COMMENTS.get(name);
        if (comment == null) {
            throw new IllegalArgumentException(name + " has no comment");
        }
        return comment;
    }
}
