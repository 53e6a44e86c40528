"""A stand-in for Citus, which is not to be had here: it moves nothing, and refuses what Citus refuses.

After the documentation of Citus 12: a distributed table's unique indexes hold its distribution column; what lies
together has columns of one type and collation; a foreign key leads to a table that lies together with it, or is copied;
a table with triggers only where these are said to be safe; nothing is distributed twice.
"""

IN_SIGHT = "?search_path=public,citus"
"""To be put behind the address of a database. The real ones lie in pg_catalog, which is always in sight."""

STAND_IN = """
CREATE SCHEMA citus;
SET search_path = public, citus;
CREATE TABLE citus.pg_dist_partition (logicalrelid regclass PRIMARY KEY, partmethod "char" NOT NULL, partcolumn text);

CREATE FUNCTION citus.check_new(made regclass) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = made) THEN
        RAISE 'table "%" is already distributed', made;
    END IF;
    IF current_setting('citus.enable_unsafe_triggers', true) IS DISTINCT FROM 'on'
        AND EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = made AND NOT tgisinternal) THEN
        RAISE 'cannot distribute relation "%" because it has triggers', made;
    END IF;
    IF EXISTS (
        SELECT 1 FROM pg_constraint k WHERE k.contype = 'f' AND k.conrelid = made AND NOT EXISTS (
            SELECT 1 FROM pg_dist_partition d WHERE d.logicalrelid = k.confrelid)
    ) THEN
        RAISE 'cannot create foreign key constraint since relations are not colocated: "%"', made;
    END IF;
END $$;

CREATE FUNCTION citus.create_reference_table(made regclass) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    PERFORM check_new(made);
    INSERT INTO pg_dist_partition VALUES (made, 'n', NULL);
END $$;

CREATE FUNCTION citus.create_distributed_table(
    made regclass, distribution_column text, distribution_type text DEFAULT 'hash', colocate_with text DEFAULT 'default'
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    own pg_attribute;
    other pg_attribute;
    wide text;
BEGIN
    PERFORM check_new(made);
    SELECT * INTO own FROM pg_attribute WHERE attrelid = made AND attname = distribution_column;
    IF NOT FOUND THEN
        RAISE 'column "%" of relation "%" does not exist', distribution_column, made;
    END IF;
    SELECT x.indexrelid::regclass INTO wide FROM pg_index x
        WHERE x.indrelid = made AND x.indisunique AND NOT own.attnum = ANY (x.indkey) LIMIT 1;
    IF FOUND THEN
        RAISE 'cannot create constraint on "%": % does not include the partition column', made, wide;
    END IF;
    IF colocate_with <> 'default' THEN
        SELECT a.* INTO other FROM pg_dist_partition d JOIN pg_attribute a
            ON a.attrelid = d.logicalrelid AND a.attname = d.partcolumn
            WHERE d.logicalrelid = colocate_with::regclass AND d.partmethod = 'h';
        IF NOT FOUND THEN
            RAISE 'relation "%" is not distributed', colocate_with;
        END IF;
        IF (own.atttypid, own.attcollation) <> (other.atttypid, other.attcollation) THEN
            RAISE 'cannot colocate tables "%" and "%": distribution column types do not match', colocate_with, made;
        END IF;
    END IF;
    INSERT INTO pg_dist_partition VALUES (made, 'h', distribution_column);
END $$
"""
