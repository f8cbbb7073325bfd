/** INodes with their attributes, principals, ACLs and storage policies. Everything here is immutable. */
@NullMarked
package io.lambdafs.model.inode;

import org.jspecify.annotations.NullMarked;
