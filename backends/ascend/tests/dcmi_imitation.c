/* An imitation of the driver's libdcmi.so for the tests: two cards, the second with two chips. */
#include <stdlib.h>
#include <string.h>

struct chip_info { char kind[32], name[32], version[32]; unsigned cores; char npu_name[32]; };
struct hbm { unsigned long long megabytes; unsigned rest[6]; };
struct pcie { unsigned ids[4]; int domain; unsigned bus, device, function; char rest[32]; };

static int lacks(const char *fact) {
    const char *missing = getenv("KGB_TEST_DCMI_LACKS");
    return missing && strstr(missing, fact) ? -8255 : 0;
}

int dcmi_init(void) { return lacks("init"); }

int dcmi_get_driver_version(char *text, unsigned length) {
    strncpy(text, "25.2.0", length);
    return lacks("driver");
}

int dcmi_get_card_list(int *count, int *cards, int length) {
    *count = length < 2 ? length : 2;
    cards[0] = 3;
    cards[1] = 5;
    return lacks("list");
}

int dcmi_get_device_id_in_card(int card, int *chips, int *mcu, int *cpu) {
    *chips = card == 5 ? 2 : 1;
    *mcu = *chips;
    *cpu = -1;
    return lacks("chips");
}

int dcmi_get_device_logic_id(int *logic, int card, int chip) {
    *logic = card == 3 ? 0 : 1 + chip;
    return lacks("logic");
}

int dcmi_get_device_chip_info_v2(int card, int chip, struct chip_info *info) {
    strcpy(info->kind, "Ascend");
    strcpy(info->name, card == 3 ? "910B3" : "Ascend910");
    strcpy(info->version, "V1");
    strcpy(info->npu_name, card == 3 ? "910B3" : "9392");
    info->cores = 20;
    if (lacks("name")) memset(info, 0, sizeof *info);
    return lacks("name");
}

int dcmi_get_device_health(int card, int chip, unsigned *health) {
    *health = chip == 1 ? 3 : 0;
    return lacks("health");
}

int dcmi_get_device_pcie_info_v2(int card, int chip, struct pcie *pcie) {
    pcie->domain = 0;
    pcie->bus = 0xc0 + card + chip;
    return lacks("bus");
}

int dcmi_get_device_hbm_info(int card, int chip, struct hbm *memory) {
    memory->megabytes = 65536;
    return lacks("hbm");
}

int dcmi_get_device_memory_info_v3(int card, int chip, struct hbm *memory) {
    memory->megabytes = 43693;
    return lacks("memory");
}
